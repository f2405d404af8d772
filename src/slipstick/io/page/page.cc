#include "slipstick/io/page/page.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "slipstick/errors.h"
#include "slipstick/version.h"

namespace slipstick {
namespace {

constexpr int kPageFormat = 1;

Json make_model_part(const LoadedModel* loaded, const std::string& title) {
  if (loaded == nullptr) {
    return {{"name", ""},
            {"title", title},
            {"source", ""},
            {"coordinates", Json::array()},
            {"contacts", Json::array()}};
  }
  const Model& model = *loaded->model;
  Json coordinates = Json::array();
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const bool is_angle = model.skeleton.tree.elements[i].is_angle;
    coordinates.push_back({{"name", model.coordinates[i]},
                           {"unit", is_angle ? "rad" : "m"},
                           {"rate_unit", is_angle ? "rad/s" : "m/s"}});
  }
  return {{"name", model.name},
          {"title", model.title},
          {"source", model.source},
          {"coordinates", coordinates},
          {"contacts", model.contact_names}};
}

/// `<` occurs only in the texts of a JSON document, and a browser could read it as the start of a
/// tag.
void write_without_tags(std::string_view json, const ByteSink& sink) {
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t end = std::min(json.find('<', at), json.size());
    sink(json.substr(at, end - at));
    if (end < json.size()) sink("\\u003c");
    at = end + 1;
  }
}

}  // namespace

void write_page(const LoadedModel* loaded, PageParts parts, const ByteSink& sink) {
  constexpr std::string_view kEmpty = "null";
  constexpr std::string_view kPlace = "id=\"document\">";
  const std::string page = viewer_page();
  const std::size_t place = page.find(std::string(kPlace).append(kEmpty));
  if (place == std::string::npos) {
    throw InputError("page",
                     "expected a program built with its viewer, got one without; install nodejs "
                     "and npm, run `npm ci` in viewer/ and build again");
  }
  Json document{{"program", "slipstick"},
                {"version", kVersion},
                {"page", kPageFormat},
                {"verb", parts.verb},
                {"command", parts.command},
                {"model", make_model_part(loaded, parts.title)},
                {"settings", loaded ? Json(list_settings(loaded->source)) : Json::array()},
                {"notices", parts.motion.notices},
                {"scene", loaded ? make_scene(*loaded->model) : Json()}};
  // The large parts are moved: a list in braces would be copied.
  document["motion"] = std::move(parts.motion.json);
  document["result"] = std::move(parts.result);
  const std::size_t start = place + kPlace.size();
  const std::string_view all = page;
  sink(all.substr(0, start));
  write_line(document, [&](std::string_view json) { write_without_tags(json, sink); });
  sink(all.substr(start + kEmpty.size()));
}

}  // namespace slipstick
