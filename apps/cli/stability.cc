#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <numbers>

#include "options.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/json/stability_json.h"
#include "slipstick/io/ranges.h"
#include "slipstick/mode_letters.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct StabilityOptions {
  ModelOptions model;
  OutputOptions output;
  std::vector<std::string> at, uncertain;
  int samples = 360;
};

std::vector<double> list_angles(const StabilityOptions& options, const LoadedModel& loaded) {
  std::vector<double> out;
  for (const std::string& text : options.at) {
    const double angle = eval_in_model(loaded, "--at " + text, text);
    if (!(std::abs(angle) < std::numbers::pi / 2)) {
      throw InputError("--at " + text,
                       fmt::format("expected an angle within (-pi/2, pi/2), got {}", angle));
    }
    out.push_back(angle);
  }
  return options.at.empty() ? make_sample_angles(options.samples) : out;
}

StabilityQuestion read_question(const StabilityOptions& options, const LoadedModel& loaded) {
  StabilityQuestion out;
  out.angles = list_angles(options, loaded);
  std::vector<std::string> names;
  for (const std::string& text : options.uncertain) {
    const ParameterRange range =
        parse_parameter_range(loaded, "--uncertain", text, RangeForm::kRange);
    if (std::find(names.begin(), names.end(), range.name) != names.end()) {
      throw InputError("--uncertain " + text, "expected each parameter once, got one twice");
    }
    names.push_back(range.name);
    out.uncertain.push_back({range.name, {range.low, range.high}});
  }
  out.make_body = make_body_family(loaded, std::move(names), Tolerances{});
  return out;
}

std::string describe_maps(const StabilityReport& report) {
  const StabilityAnswer& stability = report.stability;
  std::string out =
      fmt::format("persistence   {}\n", find_word(kPersistences, stability.persistence));
  out += fmt::format("R             {}\n\n",
                     stability.monotone ? "does not decrease" : "not monotone");
  out += "fixed points of R\n               phi            growth             slope\n";
  for (const FixedPoint& point : stability.fixed_points) {
    out +=
        fmt::format("  {:16.12f}  {:16.12f}  {:16.9g}\n", point.angle, point.growth, point.slope);
  }
  if (stability.fixed_points.empty()) out += "  none\n";
  for (const auto& [name, end] :
       {std::pair("-pi/2", &report.minus), std::pair("+pi/2", &report.plus)}) {
    if (end->kind == 1) {
      out += fmt::format("  at {}: R -> {}, growth -> {:.12f}\n", name, name, end->growth);
    } else if (end->kind == 2) {
      out += fmt::format("  at {}: R -> {:.12f}, growth (pi/2 - |phi|) -> {:.12f}\n", name,
                         end->reduced, end->scaled_growth);
    } else {
      out += fmt::format("  at {}: undefined, {}\n", name, describe_end(end->end));
    }
  }
  out += "\npieces of the maps: motion, (impact)\n";
  for (const Piece& piece : report.maps->maps.pieces) {
    out += fmt::format("  {:11.8f} to {:11.8f}   {}{}{}\n", piece.low, piece.high,
                       fmt::join(list_path(report.maps->dynamics, piece.path), " "),
                       piece.returns() ? "" : "; ", piece.returns() ? "" : describe_end(piece.end));
  }
  if (!stability.partition.empty()) out += "\nstable partition\n";
  for (const PartitionInterval& interval : stability.partition) {
    out += fmt::format("  {:11.8f} to {:11.8f}   {}, growth up to {:.6g}\n", interval.low,
                       interval.high, interval.safe ? "safe" : "transient", interval.growth_max);
  }
  return out;
}

std::string describe_border(const char* side, const std::optional<Border>& border) {
  if (!border) return "";
  if (border->distance == 0.0) {
    return fmt::format("   {} at all: {}", side, find_word(kVerdicts, border->verdict));
  }
  return fmt::format("   {} by {:.10g}: {}", side, border->distance,
                     find_word(kVerdicts, border->verdict));
}

std::string describe(const LoadedModel& loaded, const StabilityReport& report) {
  const StabilityAnswer& stability = report.stability;
  const auto name = [&](std::size_t i) {
    return loaded.model->contact_names[static_cast<std::size_t>(report.body.contact[i])];
  };
  std::string out = fmt::format("{}: {}\n\n", loaded.model->name, loaded.model->title);
  out += fmt::format("verdict       {}", find_word(kVerdicts, stability.verdict));
  if (stability.theorem != Theorem::kNone) {
    out += fmt::format(" (Theorem {})", find_word(kTheorems, stability.theorem));
  }
  out += "\n";
  if (stability.verdict == Verdict::kUndecided)
    out += fmt::format("missing       {}\n", stability.missing.sentence);
  if (!stability.ambiguous_modes.empty()) {
    out += fmt::format("ambiguous     at rest also {}\n",
                       fmt::join(to_letters(stability.ambiguous_modes), ", "));
  }
  for (const std::string& what : stability.paradox) out += fmt::format("paradox       {}\n", what);
  for (const std::string& what : stability.marginal) out += fmt::format("marginal      {}\n", what);
  if (stability.maps_swapped) {
    out +=
        fmt::format("labels        swapped: contact 1 is {}, contact 2 is {}\n", name(1), name(0));
  }
  if (stability.verdict_swapped) {
    out += fmt::format("labels        the verdict is that with {} as contact 1\n", name(1));
  }
  if (report.maps) out += describe_maps(report);
  out += "\nmargins: the verdict changes if\n";
  for (const Margin& margin : report.margins) {
    const std::string borders =
        describe_border("falls", margin.below) + describe_border("rises", margin.above);
    const std::string now = margin.value ? fmt::format("{:.6g}", *margin.value) : "";
    out += fmt::format("  {:<6} {:>10}{}\n", margin.name, now,
                       borders.empty() ? fmt::format("   never, for changes from {:.6g} to {:.6g}",
                                                     margin.searched.low, margin.searched.high)
                                       : borders);
  }
  if (!report.uncertain.empty()) {
    out += fmt::format("\nuncertain parameters: {} ({} points)\n", describe_box(report.box),
                       report.box.points);
    for (const BoxBorder& border : report.box.borders) {
      out += fmt::format("  {} to {} at", find_word(kVerdicts, border.from),
                         find_word(kVerdicts, border.to));
      for (std::size_t i = 0; i < border.at.size(); ++i) {
        out += fmt::format(" {} = {:.12g}", report.uncertain[i].name, border.at[i]);
      }
      out += "\n";
    }
  }
  return out;
}

int run_stability(const StabilityOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const Tolerances tolerances;
  const TwoContactBody body = make_two_contact_body(*loaded.model, loaded.initial, tolerances);
  const StabilityReport report =
      make_stability_report(body, read_question(options, loaded), tolerances);
  print_result(options.output, {loaded.model->name + "-stability", "stability.json",
                                make_stability_json(loaded, report), describe(loaded, report),
                                make_still(loaded, loaded.initial)});
  return kAnswered;
}

}  // namespace

void add_stability_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<StabilityOptions>();
  CLI::App* verb = app.add_subcommand(
      "stability", "whether a body's rest on two contacts is stable against small kicks");
  add_model_options(*verb, options->model);
  verb->add_option("--at", options->at, "sample R and growth at these angles of impact")
      ->delimiter(',')
      ->type_name("PHI,PHI,...");
  verb->add_option("--samples", options->samples, "sample R and growth on a grid of N angles")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  verb->add_option("--uncertain", options->uncertain,
                   "NAME=A:B: judge a whole range of a parameter; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=A:B");
  add_output_options(*verb, options->output);
  verb->footer("Example:\n  slipstick stability two-contact-body --uncertain mu1=0.29:0.34");
  verb->callback([options, &run] { run = [options] { return run_stability(*options); }; });
}

}  // namespace slipstick::cli
