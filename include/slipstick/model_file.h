#pragma once

/// Model files (docs/model-format.md): TOML text to a model with its initial state.
///
///     const std::vector<slipstick::Override> values{{"mu", "0.5"}, {"theta1", "32*deg"}};
///     const slipstick::LoadedModel arm = slipstick::read_model("two-link-rail", values);
///     const slipstick::Run run = slipstick::simulate(*arm.model, arm.initial, {});

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/model.h"
#include "slipstick/observable.h"
#include "slipstick/paradox.h"
#include "slipstick/state.h"

namespace slipstick {

/// NAME=EXPR of the command line: another value for a parameter or an initial value.
struct Override {
  std::string name;        ///< of a parameter, a coordinate or a rate
  std::string expression;  ///< of the model's parameters, e.g. "32*deg"
};

/// A name a user may set, as the file defines it.
struct Setting {
  std::string name;        ///< of a parameter, a coordinate or a rate
  std::string expression;  ///< as written, e.g. "32*deg"; "closes tip" where a contact decides
  double value = 0.0;      ///< with the overrides applied
};

/// A model file's tables and compiled formulas; constant, and shared by the models made from it.
struct ParsedModel;

/// What a model was made from: enough to make it again.
struct ModelSource {
  std::string file;                                     ///< the built-in name or the path
  std::string text;                                     ///< of the file
  std::vector<Override> overrides;                      ///< of what the file defines
  bool zero_order = false;                              ///< frozen at the initial configuration
  std::shared_ptr<const ParsedModel> parsed = nullptr;  ///< the text, parsed
};

/// A model with what its file says beside it. Copies share the model.
struct LoadedModel {
  std::shared_ptr<const Model> model;   ///< never null
  State initial;                        ///< with contacts closed as the file asks
  std::vector<Closing> closings;        ///< coordinates the file lets follow contacts
  std::vector<Setting> parameters;      ///< in the file's order
  std::vector<Setting> initial_values;  ///< coordinates, then rates, in the model's order
  /// The shapes that the mechanism can take: the file's [range], in the model's order.
  std::vector<CoordinateRange> range;
  ModelSource source;                     ///< to make it again
  std::vector<Observable> observables{};  ///< of the file, then those that a program added
};

/// Makes a model from the text of a file; `file` names it in messages. Throws InputError.
[[nodiscard]] LoadedModel parse_model(const std::string& file, const std::string& text,
                                      std::span<const Override> overrides);

/// Reads a built-in model by name, or a file by path. Throws InputError.
[[nodiscard]] LoadedModel read_model(const std::string& name_or_path,
                                     std::span<const Override> overrides);

/// Its overrides as NAME=EXPR.
[[nodiscard]] std::vector<std::string> list_settings(const ModelSource& source);

/// Gives the model zero-order dynamics about its initial configuration.
void freeze(LoadedModel& loaded);

}  // namespace slipstick
