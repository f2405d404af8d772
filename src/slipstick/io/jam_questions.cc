#include "slipstick/io/jam_questions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "slipstick/analysis/outcomes/decisions.h"
#include "slipstick/analysis/outcomes/run_margins.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/ranges.h"
#include "slipstick/io/refusal.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

FrictionAt find_friction_at(const LoadedModel& loaded, const std::vector<CoordinateRange>& over) {
  FrictionAt out;
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kInitial, Tolerances{});
  const auto critical = find_reachable_friction(problem, replace_ranges(loaded.range, over), over);
  if (!critical) {
    out.why = {WhyCode::kNotFound, "the contacts close nowhere in the range"};
    return out;
  }
  const auto largest = std::max_element(critical->friction.begin(), critical->friction.end());
  const auto which = static_cast<std::size_t>(largest - critical->friction.begin());
  const int contact = problem.sliding[which].contact;
  out.mu = loaded.model->contacts[static_cast<std::size_t>(contact)].mu;
  if (std::isfinite(critical->scale)) out.mu_min = critical->scale * *largest;
  if (critical->jam_scale) out.mu_jam = *critical->jam_scale * *largest;
  out.no_jam = critical->no_jam;
  return out;
}

SlipsAlong find_slips_along(const LoadedModel& loaded, const OutcomeAxis& axis,
                            const OutcomeMap& map, const MakeOptions& make_options,
                            const std::vector<CoordinateRange>& over) {
  SlipsAlong out;
  const auto count = static_cast<std::size_t>(axis.count);
  out.jams.resize(count);
  out.lasts.resize(count);
  parallel_for(count, [&](std::size_t i) {
    const std::string& label = map.labels[static_cast<std::size_t>(map.cells[i])];
    if (label == kRefusedLabel || label == kFailureLabel) return;
    const double value = axis.value(i);
    const LoadedModel at = make_with_parameters(loaded, {axis.name}, {&value, 1});
    const JamQuestion own{make_options(at), replace_ranges(at.range, over)};
    // Where sliding ends at once there is no slip to speak of.
    if (find_sliding_end(*at.model, at.initial, own).end().time <= at.initial.time) return;
    const CriticalSlip slip = find_critical_slip(*at.model, at.initial, own);
    out.jams[i] = slip.jams.slip;
    out.lasts[i] = slip.lasts.slip;
  });
  return out;
}

}  // namespace

Outcome find_jam_outcome(const LoadedModel& loaded, const JamQuestion& question) {
  const SlidingMotion motion = find_sliding_end(*loaded.model, loaded.initial, question);
  const SlidingEnd& end = motion.end();
  Outcome out;
  out.label = find_word(kJamOutcomes, end.outcome);
  out.tolerance = find_state_tolerance();
  for (const Why& why : end.reasons) out.why = why.sentence;
  if (!motion.run.trajectory.empty()) {
    const Event* last =
        end.event < 0 ? nullptr : &motion.run.events[static_cast<std::size_t>(end.event)];
    out.margins = find_run_margins(*loaded.model, motion.run, last);
  }
  return out;
}

std::function<Outcome(std::span<const double>)> make_jam_asker(LoadedModel loaded,
                                                               std::vector<std::string> names,
                                                               MakeOptions make_options,
                                                               std::vector<CoordinateRange> over) {
  return
      [loaded = std::move(loaded), names = std::move(names), make_options = std::move(make_options),
       over = std::move(over)](std::span<const double> values) {
        return find_or_refuse([&] {
          const LoadedModel at = make_with_parameters(loaded, names, values);
          return find_jam_outcome(at, {make_options(at), replace_ranges(at.range, over)});
        });
      };
}

std::function<FrictionAt(double)> make_friction_finder(LoadedModel loaded, std::string name,
                                                       std::vector<CoordinateRange> over) {
  return [loaded = std::move(loaded), name = std::move(name),
          over = std::move(over)](double value) -> FrictionAt {
    FrictionAt out;
    try {
      out = find_friction_at(make_with_parameters(loaded, {name}, {&value, 1}), over);
    } catch (const InputError& error) {
      out.why = {WhyCode::kNoModel, error.what()};
    } catch (const std::domain_error& error) {
      out.why = {WhyCode::kNotComputed, error.what()};
    }
    out.value = value;
    return out;
  };
}

JamSet find_jam_set(const LoadedModel& loaded, std::vector<OutcomeAxis> axes,
                    const MakeOptions& make_options, const std::vector<CoordinateRange>& over,
                    const std::function<bool(long)>& keep_going) {
  JamSet out;
  std::vector<std::string> names;
  for (const OutcomeAxis& axis : axes) names.push_back(axis.name);
  OutcomeQuestion question;
  question.axes = axes;
  question.find = make_jam_asker(loaded, names, make_options, over);
  question.keep_going = keep_going;
  out.map = find_outcomes(question);
  if (axes.size() == 1 && out.map.complete) {
    out.slips = find_slips_along(loaded, axes[0], out.map, make_options, over);
  }
  out.axes = std::move(axes);
  return out;
}

}  // namespace slipstick
