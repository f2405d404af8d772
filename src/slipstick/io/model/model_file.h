#pragma once

/// Model files (docs/model-format.md): TOML text to a model with its initial state.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/model/closing.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// NAME=EXPR of the command line: another value for a parameter or an initial value.
struct Override {
  std::string name, expression;
};

/// A name a user may set, as the file defines it.
struct Setting {
  std::string name;
  std::string expression;  ///< as written, e.g. "32*deg"; "closes tip" where a contact decides
  double value = 0.0;      ///< with the overrides applied
};

/// A model file's tables and compiled formulas; constant, and shared by the models made from it.
struct ParsedModel;

/// What a model was made from: enough to make it again.
struct ModelSource {
  std::string file;  ///< the built-in name or the path
  std::string text;
  std::vector<Override> overrides;
  bool zero_order = false;                              ///< frozen at the initial configuration
  std::shared_ptr<const ParsedModel> parsed = nullptr;  ///< the text, parsed
};

struct LoadedModel {
  Model model;
  State initial;
  std::vector<Closing> closings;        ///< coordinates the file lets follow contacts
  std::vector<Setting> parameters;      ///< in the file's order
  std::vector<Setting> initial_values;  ///< coordinates, then rates, in the model's order
  ModelSource source;
};

/// Makes a model from the text of a file; `file` names it in messages. Throws InputError.
[[nodiscard]] LoadedModel parse_model(const std::string& file, const std::string& text,
                                      std::span<const Override> overrides);

/// Reads a built-in model by name, or a file by path. Throws InputError.
[[nodiscard]] LoadedModel read_model(const std::string& name_or_path,
                                     std::span<const Override> overrides);

/// What make_model makes the model of, before it is frozen.
[[nodiscard]] ModelSpec make_model_spec(const ModelSource& source);

/// The model with other values for some of its parameters, in place of those set before. The file
/// is not parsed again. Throws InputError as above.
[[nodiscard]] LoadedModel make_with_parameters(const LoadedModel& loaded,
                                               const std::vector<std::string>& names,
                                               std::span<const double> values);

/// Its overrides as NAME=EXPR.
[[nodiscard]] std::vector<std::string> list_settings(const ModelSource& source);

/// Gives the model zero-order dynamics about its initial configuration.
void freeze(LoadedModel& loaded);

}  // namespace slipstick
