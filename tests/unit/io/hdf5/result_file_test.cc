/// Result files: the same bytes for the same run, all that was put in comes out, lines between rows
/// follow the motion, and files that are not ours are refused.

#include "slipstick/io/hdf5/result_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cases.h"
#include "slipstick/errors.h"
#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/io/hdf5/segments.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/io/run_text.h"
#include "slipstick/model/scale.h"
#include "slipstick/simulate.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<double>;

struct Done {
  LoadedModel loaded;
  RunRequest request;
  Run run;
  std::string bytes;
};

Done simulate_model(const std::string& model, const std::vector<Override>& overrides,
                    double until) {
  Done out{slipstick::read_model(model, overrides), {}, {}, {}};
  out.request.options.until = until;
  out.run = simulate(*out.loaded.model, out.loaded.initial, out.request.options);
  out.bytes = make_result_file(out.loaded, out.request, make_tree(out.run));
  return out;
}

const std::vector<Override> kJammingWheel{
    {"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}};

/// Sticking and impacts, a jam, bouncing to rest, an inconsistent start, sliding to rest.
std::vector<Done> make_runs() {
  std::vector<Done> out;
  out.push_back(simulate_model("compass-biped", {}, 2.0));
  out.push_back(simulate_model("rimless-wheel", kJammingWheel, 0.5));
  out.push_back(simulate_model("bouncing-ball", {}, 5.0));
  out.push_back(simulate_model("two-link-rail", {}, 1.0));
  out.push_back(simulate_model("painleve-bar", {}, 5.0));
  out.push_back(simulate_model("sliding-block", {}, 1.0));
  return out;
}

Numbers read_numbers(const Hdf5Reader& reader, const std::string& path) {
  return std::get<Numbers>(reader.read(path).values);
}

std::string find_result_refusal(const std::string& bytes) {
  try {
    (void)parse_result_file("x.h5", bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ResultFile, SameRunSameBytes) {
  for (const Done& done : make_runs()) {
    SCOPED_TRACE(done.loaded.model->name);
    const ResultFile result = parse_result_file("x.h5", done.bytes);
    EXPECT_EQ(make_result_file(result.loaded, result.request, repeat_run(result)), done.bytes);
  }
}

TEST(ResultFile, KeepsWhatTheRunDependsOn) {
  Done done{slipstick::read_model("rimless-wheel", kJammingWheel), {}, {}, {}};
  SimulationOptions& options = done.request.options;
  options.until = 0.2;
  options.tolerance = 1e-9;
  options.max_events = 77;
  options.law = ImpactLaw::kNewton;
  options.on_inconsistent = OnInconsistent::kStop;
  options.on_indeterminate = OnIndeterminate::kSlip;
  options.on_jam = OnJam::kLiftOff;
  done.request.sample = 0.125;
  done.request.interrupted_after = 5;
  done.run = simulate(*done.loaded.model, done.loaded.initial, options);
  const ResultFile result =
      parse_result_file("x.h5", make_result_file(done.loaded, done.request, make_tree(done.run)));
  EXPECT_EQ(result.loaded.source.file, "rimless-wheel");
  EXPECT_EQ(result.loaded.source.text, done.loaded.source.text);
  ASSERT_EQ(result.loaded.source.overrides.size(), 3U);
  EXPECT_EQ(result.loaded.source.overrides[1].name, "theta_dot");
  EXPECT_EQ(result.loaded.source.overrides[1].expression, "0.643");
  EXPECT_EQ(result.loaded.initial.v, done.loaded.initial.v);
  EXPECT_EQ(result.request.options.until, 0.2);
  EXPECT_EQ(result.request.options.tolerance, 1e-9);
  EXPECT_EQ(result.request.options.max_events, 77);
  EXPECT_EQ(result.request.options.law, ImpactLaw::kNewton);
  EXPECT_EQ(result.request.options.on_inconsistent, OnInconsistent::kStop);
  EXPECT_EQ(result.request.options.on_indeterminate, OnIndeterminate::kSlip);
  EXPECT_EQ(result.request.options.on_jam, OnJam::kLiftOff);
  EXPECT_EQ(result.request.sample, 0.125);
  EXPECT_EQ(result.request.interrupted_after, 5);
}

TEST(ResultFile, EventsAndEndComeBack) {
  for (const Done& done : make_runs()) {
    SCOPED_TRACE(done.loaded.model->name);
    const ResultFile result = parse_result_file("x.h5", done.bytes);
    EXPECT_EQ(make_run_json(result.loaded, result.tree),
              make_run_json(done.loaded, make_tree(done.run)));
    EXPECT_EQ(result.segments, done.run.trajectory->segments.size());
    EXPECT_EQ(result.bytes, done.bytes.size());
  }
}

/// But forces where a jam ended a mode, which are unbounded.
TEST(ResultFile, NumbersAreFinite) {
  for (const Done& done : make_runs()) {
    const auto& events = done.run.events;
    const bool jams = std::any_of(events.begin(), events.end(),
                                  [](const Event& event) { return event.type == EventType::kJam; });
    const Hdf5Reader reader("x.h5", done.bytes);
    for (const char* group : {"/runs/0/trajectory", "/runs/0/segments"}) {
      for (const std::string& name : reader.list(group)) {
        const Hdf5Array array = reader.read(std::string(group) + "/" + name);
        const auto* values = std::get_if<Numbers>(&array.values);
        if (values == nullptr) continue;
        for (const double value : *values) {
          const bool may_be_infinite = jams && name.starts_with("force");
          ASSERT_TRUE(std::isfinite(value) || (may_be_infinite && std::isinf(value)))
              << done.loaded.model->name << " " << name;
        }
      }
    }
  }
}

/// Against the dense output at many points between any two rows of a segment.
TEST(ResultFile, LinesBetweenRowsFollowTheMotion) {
  for (const Done& done : make_runs()) {
    SCOPED_TRACE(done.loaded.model->name);
    const Hdf5Reader reader("x.h5", done.bytes);
    const Numbers time = read_numbers(reader, "/runs/0/trajectory/time");
    const Numbers q = read_numbers(reader, "/runs/0/trajectory/q");
    const Numbers v = read_numbers(reader, "/runs/0/trajectory/v");
    const auto errors = [&](const char* name) {
      return std::get<Numbers>(reader.read_attribute("/runs/0/trajectory", name).values);
    };
    const Numbers error_q = errors("linear_error_q");
    const Numbers error_v = errors("linear_error_v");
    const auto n = static_cast<std::size_t>(done.loaded.model->size());
    const VecQ scale = make_coordinate_scale(*done.loaded.model);
    EXPECT_EQ(error_q[0], 1e-3 * scale[0]);
    std::size_t row = 0;
    double worst = 0.0;  // in units of the bound
    for (const Segment& step : done.run.trajectory->segments) {
      constexpr int kPoints = 200;
      for (int k = 0; k <= kPoints; ++k) {
        State state =
            eval_state(step.polynomial, done.loaded.model->size(), step.theta_end * k / kPoints);
        state.time = std::min(state.time, step.to);  // where the event was located
        // Of two rows at one time the second belongs to what comes later.
        while (row + 2 < time.size() &&
               (time[row + 1] < state.time || (k == 0 && time[row + 1] <= state.time))) {
          ++row;
        }
        const double length = time[row + 1] - time[row];
        const double x =
            length > 0.0 ? std::clamp((state.time - time[row]) / length, 0.0, 1.0) : 1.0;
        for (std::size_t i = 0; i < n; ++i) {
          const auto miss = [&](const Numbers& column, double value) {
            return std::abs((1.0 - x) * column[row * n + i] + x * column[(row + 1) * n + i] -
                            value);
          };
          const auto coordinate = static_cast<Eigen::Index>(i);
          worst = std::max(worst, miss(q, state.q[coordinate]) / error_q[i]);
          worst = std::max(worst, miss(v, state.v[coordinate]) / error_v[i]);
        }
      }
    }
    EXPECT_LE(worst, 1.0 + 1e-6);
    EXPECT_GT(worst, 0.05);  // and no more rows than that takes
  }
}

/// The formula of docs/formats.md, by its own code.
TEST(ResultFile, SegmentsAreTheDenseOutput) {
  const Done done = simulate_model("rimless-wheel", kJammingWheel, 0.5);
  const Segments segments(*done.loaded.model, done.run.trajectory);
  ASSERT_EQ(segments.size(), done.run.trajectory->segments.size());
  std::string bytes;
  segments.write_coefficients([&](std::string_view part) { bytes += part; });
  const std::size_t width = segments.components();
  Numbers c(bytes.size() / sizeof(double));
  ASSERT_EQ(c.size(), segments.size() * Segments::kOrder * width);
  std::memcpy(c.data(), bytes.data(), bytes.size());
  const auto eval = [&](std::size_t segment, std::size_t component, double theta) {
    const double* own = c.data() + segment * Segments::kOrder * width + component;
    double sum = 0.0;
    for (std::size_t k = Segments::kOrder; k-- > 1;) {
      sum = (sum + own[k * width]) * (k % 2 == 1 ? theta : 1.0 - theta);
    }
    return own[0] + sum;
  };
  State state{0.0, VecQ(3), VecQ(3)};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentPolynomial& polynomial = done.run.trajectory->segments[i].polynomial;
    for (const double theta : {0.0, 0.3, 1.0}) {
      const State expected = slipstick::eval_state(polynomial, 3, theta);
      segments.eval_state(i, theta, state);
      EXPECT_EQ(state.q, expected.q);
      EXPECT_EQ(state.v, expected.v);
      EXPECT_EQ(state.time, expected.time);
      EXPECT_EQ(segments.eval(i, 4, theta), expected.v[1]);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(eval(i, k, theta), expected.q[static_cast<Eigen::Index>(k)]);
        EXPECT_EQ(eval(i, 3 + k, theta), expected.v[static_cast<Eigen::Index>(k)]);
      }
      EXPECT_EQ(eval(i, 6, theta), expected.time);
    }
  }
}

/// One step over which the ball's height is 1e13 theta (1 - theta): lines within the usual bound
/// would take 5e7 rows.
TEST(ResultFile, RowsAreBounded) {
  const LoadedModel loaded = slipstick::read_model("bouncing-ball", {});
  Trajectory trajectory;
  trajectory->coordinate_count = 1;
  trajectory->modes.resize(1);
  trajectory->segments.push_back({{}, 1.0, 0.0, 1.0, 0});
  trajectory->segments[0].polynomial =
      make_segment_polynomial(NestedPolynomial<std::array<std::array<double, 4>, 8>>{}, 3);
  trajectory->segments[0].polynomial.rows[2][0] = 1e13;
  trajectory->segments[0].polynomial.rows[1][2] = 1.0;  // time
  const LinearRows rows =
      make_linear_rows(*loaded.model, trajectory, Segments(*loaded.model, trajectory));
  ASSERT_EQ(rows.parts.size(), 1U);
  const double parts = rows.parts[0];
  EXPECT_LE(parts, 1e6);
  EXPECT_GT(parts, 4e5);
  EXPECT_LE(2e13 / (8.0 * parts * parts), rows.error_q[0]);
  EXPECT_GT(rows.error_q[0], 1e-3 * loaded.model->length_scale);
}

TEST(ResultFile, InterruptedRunIsRepeatedUpToTheSameStep) {
  const LoadedModel loaded = slipstick::read_model("two-link-rail", {});
  for (const std::int64_t steps : {0, 1, 2, 40}) {
    RunRequest request;
    request.interrupted_after = steps;
    SimulationOptions options = request.options;
    std::int64_t asked = 0;
    options.keep_going = [&](double) { return asked++ < steps; };
    const slipstick::Run run = simulate(*loaded.model, loaded.initial, options);
    ASSERT_EQ(run.end.reason, EndReason::kInterrupted);
    const std::string bytes = make_result_file(loaded, request, make_tree(run));
    const ResultFile result = parse_result_file("x.h5", bytes);
    EXPECT_EQ(make_result_file(result.loaded, result.request, repeat_run(result)), bytes) << steps;
  }
}

TEST(ResultFile, CutShortAtAnyByteIsRefused) {
  const std::string bytes = simulate_model("sliding-block", {}, 1.0).bytes;
  const auto step = bytes.size() / static_cast<std::size_t>(cases(static_cast<int>(bytes.size())));
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    ASSERT_THAT(find_result_refusal(bytes.substr(0, size)),
                HasSubstr("x.h5: expected a whole HDF5 file"))
        << size << " of " << bytes.size();
  }
  EXPECT_EQ(find_result_refusal(bytes), "");
}

TEST(ResultFile, ChangedBytesDoNoHarm) {
  const std::string bytes = simulate_model("sliding-block", {}, 1.0).bytes;
  const std::size_t stride = bytes.size() / static_cast<std::size_t>(cases(2000));
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); i += stride) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    refused += find_result_refusal(changed).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 10);
}

/// A file that says what it is, and nothing else.
std::string make_bare_file(const char* version, std::int64_t schema) {
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  root.set("program", make_hdf5("slipstick"));
  root.set("version", make_hdf5(version));
  root.set("schema", make_hdf5(schema));
  return writer.make_bytes();
}

TEST(ResultFile, FilesOfOthersAreRefused) {
  EXPECT_EQ(find_result_refusal(Hdf5Writer().make_bytes()),
            "x.h5: expected a result file of slipstick, got an HDF5 file of another kind");
  EXPECT_EQ(find_result_refusal(make_bare_file("9.8.7", 3)),
            "x.h5: expected a result file of schema up to 1, got schema 3, written by slipstick "
            "9.8.7");
  EXPECT_EQ(find_result_refusal(make_bare_file("0.1.0", 1)),
            "x.h5: expected /model/settings, got none");
}

}  // namespace
}  // namespace slipstick::testkit
