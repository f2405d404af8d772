#include "slipstick/io/json/stability_json.h"

#include <algorithm>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

Json make_end(const MapEnd& end) {
  if (end.kind == 1) return {{"kind", 1}, {"growth", end.growth}};
  if (end.kind == 2) {
    return {{"kind", 2}, {"reduced", end.reduced}, {"scaled_growth", end.scaled_growth}};
  }
  return {{"kind", nullptr}, {"reason", describe_end(end.end)}};
}

Json make_pieces(const StabilityMaps& maps) {
  Json out = Json::array();
  for (const Piece& piece : maps.maps.pieces) {
    Json entry{
        {"from", piece.low}, {"to", piece.high}, {"path", list_path(maps.dynamics, piece.path)}};
    if (!piece.returns()) entry["undefined"] = describe_end(piece.end);
    out.push_back(std::move(entry));
  }
  return out;
}

/// `at`: the value at the border, if the margin has one.
Json make_border(const std::optional<Border>& border, const std::optional<double>& value,
                 double sign) {
  if (!border) return nullptr;
  return {{"distance", border->distance},
          {"at", value ? Json(*value + sign * border->distance) : Json(nullptr)},
          {"verdict", find_word(kVerdicts, border->verdict)}};
}

/// Margins of a friction coefficient name its contact. Margins without a value are changes from the
/// present state.
Json make_margins(const Model& model, const std::vector<Margin>& margins) {
  Json out = Json::array();
  for (const Margin& margin : margins) {
    out.push_back(
        {{"parameter", margin.name},
         {"contact", margin.contact
                         ? Json(model.contact_names[static_cast<std::size_t>(*margin.contact)])
                         : Json(nullptr)},
         {"value", margin.value ? Json(*margin.value) : Json(nullptr)},
         {"below", make_border(margin.below, margin.value, -1.0)},
         {"above", make_border(margin.above, margin.value, 1.0)},
         {"searched", {margin.searched.low, margin.searched.high}}});
  }
  return out;
}

Json make_box(const StabilityReport& report) {
  const BoxVerdict& box = report.box;
  Json out = Json::object();
  for (const UncertainParameter& parameter : report.uncertain) {
    out["box"][parameter.name] = {parameter.range.low, parameter.range.high};
  }
  out["answer"] = describe_box(box);
  out["points"] = box.points;
  for (const Verdict verdict : box.verdicts) {
    out["verdicts"].push_back(find_word(kVerdicts, verdict));
  }
  out["borders"] = Json::array();
  for (const BoxBorder& border : box.borders) {
    Json at = Json::object();
    for (std::size_t i = 0; i < border.at.size(); ++i) at[report.uncertain[i].name] = border.at[i];
    out["borders"].push_back(
        {{"between", {find_word(kVerdicts, border.from), find_word(kVerdicts, border.to)}},
         {"at", at}});
  }
  return out;
}

}  // namespace

std::vector<std::string> list_path(const ZeroOrder& dynamics, const Path& path) {
  std::vector<std::string> out;
  for (const PathStep& step : path) {
    const std::string word = to_letters(dynamics.make_word(step.mode));
    out.push_back(step.is_impact ? "(" + word + ")" : word);
  }
  return out;
}

const char* describe_end(PathEnd end) {
  switch (end) {
    case PathEnd::kReturns:
      return "returns";
    case PathEnd::kSticks:
      return "the motion ends: both contacts stick";
    case PathEnd::kSlides:
      return "the motion ends: both contacts slip to rest";
    case PathEnd::kEscapes:
      return "the body leaves: nothing brings it back";
    case PathEnd::kParadox:
      return "a state with no mode or several is reached";
    case PathEnd::kTooLong:
      break;
  }
  return "no return within the events a path holds";
}

std::string describe_box(const BoxVerdict& box) {
  const auto has = [&](Verdict verdict) {
    return std::find(box.verdicts.begin(), box.verdicts.end(), verdict) != box.verdicts.end();
  };
  if (box.verdicts.size() == 1) {
    return std::string(find_word(kVerdicts, box.verdicts[0])) + " everywhere";
  }
  if (has(Verdict::kInfeasible)) return "the box contains parameters without equilibrium";
  return "the border lies inside the box";
}

Json make_stability_json(const LoadedModel& loaded, const StabilityReport& report) {
  const StabilityAnswer& stability = report.stability;
  const auto name = [&](std::size_t i) {
    return loaded.model->contact_names[static_cast<std::size_t>(report.body.contact[i])];
  };
  const auto order = [&](bool swapped) {
    return Json{name(swapped ? 1 : 0), name(swapped ? 0 : 1)};
  };
  Json out{{"model", loaded.model->name},
           {"verdict", find_word(kVerdicts, stability.verdict)},
           {"theorem", nullptr},
           {"ambiguous_modes", to_letters(stability.ambiguous_modes)},
           {"paradox", stability.paradox},
           {"marginal", stability.marginal},
           {"persistence", nullptr},
           {"labels", order(stability.maps_swapped)},
           {"verdict_labels", order(stability.maps_swapped != stability.verdict_swapped)},
           {"missing", nullptr}};
  if (stability.theorem != Theorem::kNone) out["theorem"] = find_word(kTheorems, stability.theorem);
  if (stability.missing && stability.verdict == Verdict::kUndecided) {
    out["missing"] = stability.missing.sentence;
  }
  out["fixed_points"] = Json::array();
  for (const FixedPoint& point : stability.fixed_points) {
    out["fixed_points"].push_back(
        {{"phi", point.angle}, {"growth", point.growth}, {"slope", point.slope}});
  }
  out["ends"] = nullptr;
  out["monotone"] = nullptr;
  if (report.maps) {
    out["persistence"] = find_word(kPersistences, stability.persistence);
    out["ends"] = {{"minus", make_end(report.minus)}, {"plus", make_end(report.plus)}};
    out["monotone"] = stability.monotone;
  }
  out["pieces"] = report.maps ? make_pieces(*report.maps) : Json::array();
  out["partition"] = Json::array();
  for (const PartitionInterval& interval : stability.partition) {
    out["partition"].push_back({{"from", interval.low},
                                {"to", interval.high},
                                {"kind", interval.safe ? "safe" : "transient"},
                                {"growth_max", make_number(interval.growth_max)}});
  }
  out["samples"] = Json::array();
  for (const MapSample& sample : report.samples) {
    Json entry{{"phi", sample.angle}, {"reduced", nullptr}, {"growth", nullptr}};
    if (sample.value) {
      entry["reduced"] = sample.value->reduced;
      entry["growth"] = sample.value->growth;
    }
    out["samples"].push_back(std::move(entry));
  }
  out["margins"] = make_margins(*loaded.model, report.margins);
  if (!report.uncertain.empty()) out["uncertain"] = make_box(report);
  return out;
}

}  // namespace slipstick
