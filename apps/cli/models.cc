#include <fmt/format.h>

#include <memory>

#include "options.h"
#include "printable.h"
#include "slipstick/errors.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/model/builtin_models.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ModelsOptions {
  std::string model;  ///< empty: all built-in ones
  bool json = false, source = false;
};

std::string describe_settings(const std::vector<Setting>& settings) {
  std::string out;
  for (const Setting& setting : settings) {
    out +=
        fmt::format("    {:<12} {:<28} {:.10g}\n", setting.name, setting.expression, setting.value);
  }
  return out;
}

std::string describe(const LoadedModel& loaded) {
  const Model& model = *loaded.model;
  std::string contacts;
  for (const Contact& contact : model.contacts) {
    contacts += (contacts.empty() ? "" : ", ") + contact.name;
  }
  return fmt::format(
      "{}: {}\n  source       {}\n  coordinates  {}\n  contacts     {}\n"
      "  parameters\n{}  initial values\n{}",
      model.name, model.title, model.source, fmt::join(model.coordinates, ", "), contacts,
      describe_settings(loaded.parameters), describe_settings(loaded.initial_values));
}

std::string describe_briefly(const LoadedModel& loaded) {
  return fmt::format("{:<20}  {:<38}  {:<18}  {}\n", loaded.model->name, loaded.model->title,
                     loaded.model->source, fmt::join(loaded.model->coordinates, ", "));
}

void print_source(const std::string& name) {
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name == name) {
      fmt::print("{}", builtin.text);
      return;
    }
  }
  throw InputError("--source " + name, "expected the name of a built-in model, got '" + name + "'");
}

int run_models(const ModelsOptions& options) {
  if (options.source) {
    print_source(options.model);
    return kAnswered;
  }
  std::vector<LoadedModel> models;
  if (!options.model.empty()) {
    models.push_back(slipstick::read_model(options.model, {}));
  } else {
    for (const BuiltinModel& builtin : builtin_models()) {
      models.push_back(slipstick::read_model(std::string(builtin.name), {}));
    }
  }
  if (options.json) {
    fmt::print("{}", print(make_models_json(models)));
  } else if (!options.model.empty()) {
    fmt::print("{}", make_printable(describe(models.front())));
  } else {
    fmt::print("{:<20}  {:<38}  {:<18}  {}\n", "MODEL", "TITLE", "SOURCE", "COORDINATES");
    for (const LoadedModel& loaded : models) fmt::print("{}", describe_briefly(loaded));
    fmt::print(
        "\nslipstick models MODEL lists parameters and initial values with their defaults.\n");
  }
  return kAnswered;
}

}  // namespace

void add_models_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ModelsOptions>();
  CLI::App* verb = app.add_subcommand("models", "list the built-in mechanisms, or describe one");
  verb->add_option("MODEL", options->model, "a built-in name or a model file");
  verb->add_flag("--json", options->json, "print one JSON document on standard output");
  verb->add_flag("--source", options->source, "print the model file itself, to copy and change")
      ->needs(verb->get_option("MODEL"));
  verb->footer("Example:\n  slipstick models two-link-rail");
  verb->callback([options, &run] { run = [options] { return run_models(*options); }; });
}

}  // namespace slipstick::cli
