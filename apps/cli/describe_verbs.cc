#include "describe_verbs.h"

namespace slipstick::cli {

std::vector<VerbSummary> describe_verbs(const CLI::App& app) {
  std::vector<VerbSummary> out;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    VerbSummary summary{verb->get_name(), verb->get_description(), verb->get_footer(), "", {}};
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_positional()) {
        summary.argument = option->get_name();
        continue;
      }
      const std::string name = "--" + option->get_lnames().front();
      const bool takes_value = option->get_expected_max() > 0;
      summary.options.push_back(
          {name, takes_value ? option->get_type_name() : "", option->get_description()});
    }
    out.push_back(std::move(summary));
  }
  return out;
}

}  // namespace slipstick::cli
