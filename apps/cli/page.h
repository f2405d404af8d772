#pragma once

/// The page of a result: `--report FILE.html`, `--open`.

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/page/page.h"
#include "slipstick/io/text_file.h"

namespace slipstick::cli {

struct PageOptions {
  std::string report;              ///< file of the page
  bool open = false;               ///< show it
  const CLI::App* verb = nullptr;  ///< with the options that were given
};

void add_page_options(CLI::App& verb, PageOptions& options);

/// The arguments that were given to a verb, as words of a shell, each with a space before it; but
/// for the options in `without`.
[[nodiscard]] std::string list_arguments(const CLI::App& verb,
                                         std::span<const std::string_view> without);

/// What a page shows beside the JSON document.
struct PageSource {
  const LoadedModel* loaded = nullptr;  ///< null: not about one model
  std::function<MotionDocument()> make_motion;
  std::string verb{}, command{};  ///< that give and repeat the result; empty: those of this call
  std::string title{};            ///< without a model
  Json result{};                  ///< the document that the page shows
};

/// The mechanism at a state.
[[nodiscard]] PageSource make_still(const LoadedModel& loaded, const State& state);
/// The mechanism at several states, one of which is shown at a time.
[[nodiscard]] PageSource make_stills(const LoadedModel& loaded,
                                     std::function<std::vector<State>()> states);
/// The mechanism in motion along its runs. The first run begins at `start`.
[[nodiscard]] PageSource make_moving(const LoadedModel& loaded, const State& start,
                                     std::vector<const Run*> runs);

/// The page. It is made when it is written, so all that the source refers to must live until then.
/// Writing throws InputError if the program has no viewer.
[[nodiscard]] TextFile make_page_file(const std::string& path, const PageOptions& options,
                                      PageSource source);

/// Opens a page in the user's browser; reports on standard error if there is none.
void open_page(const std::string& path);

}  // namespace slipstick::cli
