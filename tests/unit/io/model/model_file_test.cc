/// What loads, and to which numbers. Origin of the defaults: the table of built-in models in the
/// project's interface; of everything else: closed forms derived beside the test.

#include "slipstick/model_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "angles.h"
#include "cases.h"
#include "slipstick/classify.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model/dynamics.h"
#include "unit/io/model_text.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testkit::builtin_text;
using testkit::kDegree;
using testkit::kPi;
using testkit::replace;

constexpr int kMutations = 3000;  // per model

/// A number as text that reads back to the same double.
std::string print_exact(double value) { return fmt::format("{}", value); }

std::vector<std::string> list_builtin_names() {
  std::vector<std::string> out;
  for (const BuiltinModel& builtin : builtin_models()) out.emplace_back(builtin.name);
  return out;
}

std::map<std::string, double> make_values(const std::vector<Setting>& settings) {
  std::map<std::string, double> out;
  for (const Setting& setting : settings) out[setting.name] = setting.value;
  return out;
}

/// Parameters, coordinates and rates by name.
std::map<std::string, double> load_values(const std::string& model,
                                          const std::vector<Override>& overrides = {}) {
  const LoadedModel loaded = read_model(model, overrides);
  std::map<std::string, double> out = make_values(loaded.parameters);
  out.merge(make_values(loaded.initial_values));
  return out;
}

std::vector<std::string> list_names(const std::vector<Setting>& settings) {
  std::vector<std::string> out;
  for (const Setting& setting : settings) out.push_back(setting.name);
  return out;
}

/// Everything a load gives, as text; doubles in hexadecimal, so equal texts mean equal bits.
std::string print_all(const LoadedModel& loaded) {
  std::ostringstream out;
  out << std::hexfloat;
  for (const auto* settings : {&loaded.parameters, &loaded.initial_values}) {
    for (const Setting& s : *settings)
      out << s.name << " = " << s.expression << " = " << s.value << "\n";
  }
  const Dynamics dynamics = eval_dynamics(*loaded.model, loaded.initial);
  out << dynamics.M << "\n" << dynamics.h << "\n";
  out << print(make_classify_json(loaded, classify(*loaded.model, loaded.initial, Tolerances{})));
  return out.str();
}

class BuiltinModelTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, BuiltinModelTest, ::testing::ValuesIn(list_builtin_names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(BuiltinModelsTest, AreTheFilesOfTheTree) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSTICK_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(list_builtin_names(), files) << "all of them, sorted by name";
}

TEST_P(BuiltinModelTest, TextIsTheFile) {
  std::ifstream in(SLIPSTICK_SOURCE_DIR "/models/" + GetParam() + ".toml", std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_EQ(builtin_text(GetParam()), file);
}

TEST_P(BuiltinModelTest, LoadsAndStartsClosedOrOpen) {
  const LoadedModel loaded = read_model(GetParam(), {});
  EXPECT_EQ(loaded.model->name, GetParam());
  EXPECT_FALSE(loaded.model->title.empty());
  EXPECT_EQ(loaded.initial.time, 0.0);
  ASSERT_EQ(loaded.initial.q.size(), loaded.model->size());
  ASSERT_EQ(loaded.initial.v.size(), loaded.model->size());
  std::vector<std::string> names = loaded.model->coordinates;
  for (const std::string& coordinate : loaded.model->coordinates) {
    names.push_back(coordinate + "_dot");
  }
  EXPECT_EQ(list_names(loaded.initial_values), names) << "coordinates, then rates";
  for (int i = 0; i < loaded.model->size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(loaded.initial_values[k].value, loaded.initial.q[i]);
    EXPECT_EQ(loaded.initial_values[names.size() / 2 + k].value, loaded.initial.v[i]);
  }
}

/// The other route: the number as text, parsed with the whole file.
TEST_P(BuiltinModelTest, OtherParametersAsIfTheyWereInTheFile) {
  const auto print_or_refuse = [](const auto& make) {
    try {
      const LoadedModel made = make();
      std::string settings;
      for (const std::string& setting : list_settings(made.source)) settings += setting + "\n";
      return settings + print_all(made);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const LoadedModel loaded = read_model(GetParam(), {});
  const std::string text = builtin_text(GetParam());
  for (const Setting& parameter : loaded.parameters) {
    for (const double value : {1.01 * parameter.value + 0.001, -parameter.value, 0.0}) {
      const std::vector<Override> overrides{{parameter.name, print_exact(value)}};
      EXPECT_EQ(print_or_refuse([&] {
                  return make_with_parameters(loaded, {parameter.name}, std::span(&value, 1));
                }),
                print_or_refuse([&] { return parse_model(GetParam(), text, overrides); }))
          << parameter.name << " = " << value;
    }
  }
}

TEST(ModelFileTest, OtherParametersReplaceThoseSetBefore) {
  const LoadedModel loaded = read_model(
      "compass-biped", std::vector<Override>{{"m", "2*mh"}, {"mh", "3"}, {"theta1", "-0.2"}});
  const LoadedModel other =
      make_with_parameters(loaded, {"m", "l"}, std::vector<double>{5.0, 0.25});
  EXPECT_THAT(list_settings(other.source), ElementsAre("mh=3", "theta1=-0.2", "m=5", "l=0.25"));
  EXPECT_EQ(other.initial.q[0], -0.2);
  EXPECT_EQ(print_all(other),
            print_all(parse_model("compass-biped", loaded.source.text, other.source.overrides)));
  // And once more, from the result.
  const double mass = 6.0;
  const LoadedModel third = make_with_parameters(other, {"m"}, std::span(&mass, 1));
  EXPECT_THAT(list_settings(third.source), ElementsAre("mh=3", "theta1=-0.2", "l=0.25", "m=6"));
  EXPECT_EQ(make_values(third.parameters).at("m"), mass);
}

TEST_P(BuiltinModelTest, SameFileSameBits) {
  EXPECT_EQ(print_all(read_model(GetParam(), {})), print_all(read_model(GetParam(), {})));
}

/// A built-in model copied to a file is the same model but for its name.
TEST_P(BuiltinModelTest, CopyIsTheSameModel) {
  const std::string text = builtin_text(GetParam());
  const LoadedModel copy = parse_model("somewhere/" + GetParam() + ".toml", text, {});
  EXPECT_EQ(print_all(copy), print_all(read_model(GetParam(), {})));
}

/// Windows line ends and a byte order mark change nothing.
TEST_P(BuiltinModelTest, LineEndsDoNotMatter) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : builtin_text(GetParam()))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(print_all(parse_model(GetParam(), text, {})), print_all(read_model(GetParam(), {})));
}

struct Defaults {
  const char* model;
  std::vector<std::string> coordinates, contacts;
  std::map<std::string, double> values;  ///< those that the table states
};

std::vector<Defaults> make_defaults() {
  const std::map<std::string, double> chain{{"m1", .23},
                                            {"m2", 4.65},
                                            {"rho1", .0838},
                                            {"rho2", .0385},
                                            {"r1", .055},
                                            {"r2", .209},
                                            {"thickness", .010},
                                            {"height", .017},
                                            {"length", .290},
                                            {"rear", .090},
                                            {"alpha", 30 * kDegree},
                                            {"mu", .64},
                                            {"g", 9.81},
                                            {"e", 0},
                                            {"theta", -24.4 * kDegree},
                                            {"x_dot", 2}};
  return {
      {"two-link-rail",
       {"theta1", "theta2"},
       {"tip"},
       {{"m", .12},
        {"l", .21},
        {"g", 9.81},
        {"H", .3775},
        {"mu", .6},
        {"e", .1},
        {"k", 1.3},
        {"c", .005},
        {"alpha0", 11 * kDegree},
        {"rail_speed", -.2},
        {"theta1", 32 * kDegree},
        {"theta2", std::acos(.3775 / .21 - std::cos(32 * kDegree))},
        {"theta1_dot", 0},
        {"theta2_dot", 0}}},
      {"two-contact-body",
       {"x", "z", "theta"},
       {"foot1", "foot2"},
       {{"m", 1},
        {"g", 9.81},
        {"alpha", 25 * kDegree},
        {"mu1", .315},
        {"mu2", 1},
        {"rho", .143},
        {"l1", -.0512},
        {"l2", .1688},
        {"h", .1341},
        {"phi1", 0},
        {"phi2", 0},
        {"torque", 0},
        {"x", 0},
        {"z", 0},
        {"theta", 0}}},
      {"jamming-chain", {"x", "y", "psi", "theta"}, {"rear", "front"}, chain},
      {"jamming-chain-level", {"x", "y", "theta"}, {"plate"}, chain},
      {"sliding-rod",
       {"x", "y", "theta"},
       {"tip", "top"},
       {{"m", 10},
        {"length", 2},
        {"rho", .2},
        {"mu", .5},
        {"g", 9.81},
        {"e", 0},
        {"theta", -26.5 * kDegree},
        {"slip", 100},
        {"y", std::cos(26.5 * kDegree)},
        {"x_dot", 100}}},
      {"klein-bar",
       {"x", "y", "theta"},
       {"lower", "upper"},
       {{"m", 1},
        {"l", 1},
        {"theta", 1.3},
        {"mu", 1},
        {"force", -1},
        {"arm", .2},
        {"torque", 0},
        {"x_dot", 1},
        {"y", std::sin(1.3)}}},
      {"painleve-bar",
       {"x", "y", "theta"},
       {"A", "B"},
       {{"m", 1},
        {"l", 1},
        {"I", 1. / 12},
        {"mu", .9},
        {"weight", 1},
        {"jump", 2},
        {"theta", .85},
        {"theta_dot", 0},
        {"slip", -7},
        {"x_dot", -7},
        {"y", std::sin(.85)},
        {"y_dot", 0}}},
      {"rimless-wheel",
       {"x", "y", "theta"},
       {"stance", "next", "previous"},
       {{"n", 10},
        {"kappa", .02},
        {"alpha", 10 * kDegree},
        {"mu", .35},
        {"m", 1},
        {"l", 1},
        {"g", 1.02},
        {"e", 0},
        {"foot_radius", 0},
        {"theta", -kPi / 10},
        {"theta_dot", .65},
        {"x_dot", 0},
        {"y", 0}}},
      {"compass-biped",
       {"theta1", "theta2", "x", "y"},
       {"stance", "swing"},
       {{"l", .8},
        {"m", 4},
        {"mh", 2},
        {"Ic", 0},
        {"g", 9.8},
        {"alpha", 1 * kDegree},
        {"mu", .7},
        {"e", 0},
        {"foot_radius", 0},
        {"theta1", -.148},
        {"theta2", -.148},
        {"theta1_dot", .733},
        {"theta2_dot", -.501},
        {"x_dot", 0}}},
      {"bouncing-ball", {"y"}, {"ball"}, {{"height", 1}, {"e", .8}, {"g", 9.81}, {"y", 1}}},
      {"sliding-block", {"x", "y"}, {"block"}, {{"v0", 3}, {"mu", .5}, {"g", 9.81}, {"x_dot", 3}}},
  };
}

TEST(BuiltinModelsTest, HaveTheDefaultsOfTheInterface) {
  const std::vector<Defaults> all = make_defaults();
  EXPECT_EQ(all.size() + 1, builtin_models().size());  // weighted-biped, which is not one of them
  for (const Defaults& expected : all) {
    SCOPED_TRACE(expected.model);
    const LoadedModel loaded = read_model(expected.model, {});
    EXPECT_EQ(loaded.model->coordinates, expected.coordinates);
    std::vector<std::string> contacts;
    for (const Contact& contact : loaded.model->contacts) contacts.push_back(contact.name);
    EXPECT_EQ(contacts, expected.contacts);
    const auto values = load_values(expected.model);
    for (const auto& [name, value] : expected.values) {
      ASSERT_TRUE(values.contains(name)) << name;
      EXPECT_NEAR(values.at(name), value, 1e-14 * std::max(1.0, std::abs(value))) << name;
    }
  }
}

TEST(BuiltinModelsTest, HaveTheLawsOfTheInterface) {
  for (const std::string& name : list_builtin_names()) {
    const bool fremond = name == "klein-bar" || name == "painleve-bar";
    const bool poisson = name == "two-link-rail" || name == "bouncing-ball";
    const LoadedModel loaded = read_model(name, {});
    for (const Contact& contact : loaded.model->contacts) {
      EXPECT_EQ(contact.law, fremond   ? ImpactLaw::kFremond
                             : poisson ? ImpactLaw::kPoisson
                                       : ImpactLaw::kInelastic)
          << name;
    }
  }
}

TEST(ModelFileTest, ParametersAreListedInTheFilesOrder) {
  EXPECT_THAT(
      list_names(read_model("two-link-rail", {}).parameters),
      ElementsAre("m", "l", "g", "H", "mu", "e", "k", "c", "alpha0", "rail_speed", "stiction"));
  const std::string text =
      replace(builtin_text("sliding-block"), "v0 = 3", "zz = 1\nv0 = 3\nb = 2");
  EXPECT_THAT(list_names(parse_model("a.toml", text, {}).parameters),
              ElementsAre("zz", "v0", "b", "mu", "g"));
}

TEST(ModelFileTest, SettingsAreListedAsWritten) {
  const LoadedModel loaded = read_model("two-link-rail", {});
  EXPECT_EQ(loaded.parameters[0].expression, "0.12");
  EXPECT_EQ(loaded.parameters[8].expression, "11*deg");
  EXPECT_EQ(loaded.initial_values[0].expression, "32*deg");
  EXPECT_EQ(loaded.initial_values[1].expression, "closes tip");
  EXPECT_EQ(loaded.initial_values[2].expression, "0");
  EXPECT_EQ(loaded.initial_values[3].expression, "closes tip");
  const LoadedModel other = read_model("two-link-rail", std::vector<Override>{{"l", "H/2 + .02"}});
  EXPECT_EQ(other.parameters[1].expression, "H/2 + .02");
  EXPECT_EQ(other.parameters[1].value, 0.3775 / 2 + 0.02);
}

TEST(ModelFileTest, NameIsTheFilesUnlessGiven) {
  const std::string text = builtin_text("sliding-block");
  EXPECT_EQ(parse_model("dir/my.block.toml", text, {}).model->name, "my.block");
  EXPECT_EQ(parse_model("x.toml", "name = \"other\"\n" + text, {}).model->name, "other");
  EXPECT_EQ(parse_model("x.toml", text, {}).model->title, "Sliding block");
  EXPECT_EQ(parse_model("x.toml", replace(text, "title = \"Sliding block\"", ""), {}).model->title,
            "x");
}

TEST(OverrideTest, ParametersCoordinatesAndRates) {
  const auto values = load_values("two-link-rail", {{"mu", "0.25"},
                                                    {"l", "H/1.8"},
                                                    {"theta1", "25*deg"},
                                                    {"theta1_dot", "-mu/2"},
                                                    {"alpha0", "theta1/2"}});
  EXPECT_EQ(values.at("mu"), 0.25);
  EXPECT_EQ(values.at("l"), 0.3775 / 1.8);
  EXPECT_EQ(values.at("theta1"), 25 * kDegree);
  EXPECT_EQ(values.at("theta1_dot"), -0.125);
  EXPECT_EQ(values.at("alpha0"), 25 * kDegree / 2) << "initial values are known to parameters";
}

TEST(OverrideTest, ReachesWhatDependsOnIt) {
  const LoadedModel loaded =
      read_model("rimless-wheel", std::vector<Override>{{"kappa", "0.5"}, {"n", "8"}});
  EXPECT_EQ(make_values(loaded.parameters).at("g"), 1.5);
  EXPECT_EQ(make_values(loaded.initial_values).at("theta"), -kPi / 8);
  EXPECT_NEAR(eval_dynamics(*loaded.model, loaded.initial).M(2, 2), 1.5, 1e-15)
      << "m l^2 (1 + kappa)";
}

TEST(OverrideTest, LastOneCounts) {
  EXPECT_EQ(load_values("sliding-block", {{"mu", "0.1"}, {"mu", "0.2"}}).at("mu"), 0.2);
}

TEST(OverrideTest, ReplacesAClosing) {
  // l (cos(th1) + cos(th2)) < H: the tip is above the rail, and no rate follows any more.
  const LoadedModel loaded =
      read_model("two-link-rail", std::vector<Override>{{"theta2", "-1"}, {"theta1_dot", "1"}});
  EXPECT_EQ(loaded.initial.q[1], -1.0);
  EXPECT_EQ(loaded.initial.v[1], 0.0);
  const double gap = eval_contact_kinematics(*loaded.model, loaded.initial).gap[0];
  EXPECT_NEAR(gap, 0.3775 - 0.21 * (std::cos(32 * kDegree) + std::cos(1.0)), 1e-15);
  EXPECT_EQ(loaded.initial_values[1].expression, "-1");
}

TEST(OverrideTest, RateOfAClosedCoordinateMayBeGiven) {
  const auto values = load_values("two-link-rail", {{"theta2_dot", "0.5"}});
  EXPECT_EQ(values.at("theta2_dot"), 0.5);
}

/// The tip is at height -l (cos th1 + cos th2) = -H, so th2 = acos(H/l - cos th1), taken between 0
/// and pi; it exists for |th1| <= acos(H/l - 1) = 37.08 degrees.
TEST(ClosingTest, TwoLinkRailFollowsTheClosedForm) {
  constexpr double l = 0.21;
  constexpr double H = 0.3775;
  const double most = std::acos(H / l - 1.0);
  for (int i = -200; i <= 200; ++i) {
    const double theta1 = 0.9999 * most * i / 200.0;
    const LoadedModel loaded =
        read_model("two-link-rail", std::vector<Override>{{"theta1", print_exact(theta1)}});
    EXPECT_EQ(loaded.initial.q[0], theta1);
    const double theta2 = std::acos(H / l - std::cos(theta1));
    // d(theta2)/d(height) = 1/(l sin(theta2)) magnifies the rounding of the gap near the ends.
    EXPECT_NEAR(loaded.initial.q[1], theta2, 2e-15 / std::sin(theta2)) << "theta1 = " << theta1;
    EXPECT_NEAR(eval_contact_kinematics(*loaded.model, loaded.initial).gap[0], 0.0, 1e-15);
  }
}

/// sin th1 th1' + sin th2 th2' = 0.
TEST(ClosingTest, RatesFollow) {
  for (const double theta1 : {-0.6, -0.3, 0.1, 0.25, 0.5}) {
    for (const double rate : {-3.0, 0.0, 0.7}) {
      const LoadedModel loaded =
          read_model("two-link-rail", std::vector<Override>{{"theta1", print_exact(theta1)},
                                                            {"theta1_dot", print_exact(rate)}});
      const double theta2 = loaded.initial.q[1];
      EXPECT_NEAR(loaded.initial.v[1], -rate * std::sin(theta1) / std::sin(theta2),
                  1e-14 * std::abs(rate));
      EXPECT_NEAR(eval_contact_kinematics(*loaded.model, loaded.initial).gap_rate[0], 0.0, 1e-15);
    }
  }
}

/// A = centre - l (cos, sin) stays on the plane: y = l sin(th), y' = l cos(th) th', and the given
/// slip of A makes x' = slip - l sin(th) th'.
TEST(ClosingTest, PainleveBarKeepsItsSlip) {
  const auto values = load_values(
      "painleve-bar", {{"theta", "1.1"}, {"theta_dot", "-2"}, {"l", "0.5"}, {"slip", "3"}});
  EXPECT_NEAR(values.at("y"), 0.5 * std::sin(1.1), 1e-15);
  EXPECT_NEAR(values.at("y_dot"), -2 * 0.5 * std::cos(1.1), 1e-15);
  EXPECT_NEAR(values.at("x_dot"), 3 + 2 * 0.5 * std::sin(1.1), 1e-15);
}

/// Two coordinates from two contacts: the plate lies flat, at half its thickness.
TEST(ClosingTest, TwoContactsTogether) {
  const LoadedModel loaded =
      read_model("jamming-chain", std::vector<Override>{{"thickness", "0.03"}});
  EXPECT_NEAR(loaded.initial.q[1], 0.015, 1e-16);
  EXPECT_NEAR(loaded.initial.q[2], 0.0, 1e-16);
  EXPECT_EQ(loaded.initial.v[1], 0.0);
  EXPECT_EQ(loaded.initial.v[2], 0.0);
}

TEST(ClosingTest, BranchIsTheOneBetween) {
  const std::string text =
      replace(builtin_text("two-link-rail"), "between = [0, \"pi\"]", "between = [\"-pi\", 0]");
  const LoadedModel mirrored = parse_model("a.toml", text, {});
  const LoadedModel loaded = read_model("two-link-rail", {});
  EXPECT_NEAR(mirrored.initial.q[1], -loaded.initial.q[1], 1e-15);
}

TEST(ScopeTest, InitialValuesDependOnEachOther) {
  EXPECT_EQ(load_values("compass-biped", {{"theta1", "-0.2"}}).at("theta2"), -0.2);
  const auto values = load_values(
      "sliding-block", {{"x", "2*x_dot"}, {"x_dot", "v0 + y_dot"}, {"y", "1"}, {"y_dot", "-mu"}});
  EXPECT_EQ(values.at("x_dot"), 2.5);
  EXPECT_EQ(values.at("x"), 5.0);
}

/// Klein's upper slide is where the bar's initial angle puts it.
TEST(ScopeTest, GeometryMayDependOnInitialValues) {
  for (const char* theta : {"0.4", "pi/3"}) {
    const LoadedModel loaded = read_model("klein-bar", std::vector<Override>{{"theta", theta}});
    EXPECT_NEAR(loaded.model->surfaces[1].point.y(), 2 * std::sin(loaded.initial.q[2]), 1e-15);
  }
}

TEST(ScopeTest, OrderOfDefinitionsDoesNotMatter) {
  const std::string rows[] = {"a = \"2*b\"\n", "b = \"c + 1\"\n", "c = \"d^2\"\n", "d = 3\n"};
  const std::string starts[] = {"x = \"a\"\n", "x_dot = \"x + y\"\n", "y = \"b\"\n"};
  const auto load = [](const std::string& parameters, const std::string& initial) {
    std::string text =
        replace(builtin_text("sliding-block"), "[parameters]\n", "[parameters]\n" + parameters);
    text = replace(text, "x_dot = \"v0\"\ny = { close = \"block\" }\n", initial);
    return parse_model("a.toml", text, {});
  };
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::string parameters;
    std::string initial;
    for (const std::size_t i : order) {
      parameters += rows[i];
      if (i < 3) initial += starts[i];
    }
    const LoadedModel loaded = load(parameters, initial);
    const auto values = make_values(loaded.parameters);
    EXPECT_EQ(values.at("a"), 20.0);
    EXPECT_EQ(values.at("b"), 10.0);
    EXPECT_EQ(loaded.initial.q[0], 20.0);
    EXPECT_EQ(loaded.initial.q[1], 10.0);
    EXPECT_EQ(loaded.initial.v[0], 30.0);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// In a force `x` is the coordinate as it moves, not its initial value.
TEST(FunctionTest, ForcesFollowTheState) {
  const std::string text = builtin_text("sliding-block") +
                           "\n[[forces]]\ncoordinate = \"x\"\nvalue = \"-v0*x + x_dot*t\"\n";
  const LoadedModel loaded = parse_model("a.toml", text, {});
  State state = loaded.initial;
  state.time = 5.0;
  state.q[0] = 2.0;
  state.v[0] = 7.0;
  EXPECT_EQ(eval_dynamics(*loaded.model, state).h[0], -(-3.0 * 2.0 + 7.0 * 5.0));
}

TEST(FunctionTest, SurfaceSpeedFollowsTime) {
  const std::string text = replace(builtin_text("sliding-block"), "name = \"ground\"",
                                   "name = \"ground\"\nspeed = \"mu*t^2\"");
  const LoadedModel loaded = parse_model("a.toml", text, {});
  State state = loaded.initial;
  state.time = 4.0;
  const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, state);
  EXPECT_EQ(contacts.slip[0], 3.0 - 0.5 * 16.0);
  EXPECT_NEAR(contacts.bias_t[0], -2 * 0.5 * 4.0, 1e-9) << "minus the belt's acceleration";
}

TEST(FunctionTest, InactiveContactMayPenetrate) {
  const LoadedModel loaded =
      read_model("compass-biped", std::vector<Override>{{"theta2", "theta1 + 0.05"}});
  EXPECT_LT(eval_contact_kinematics(*loaded.model, loaded.initial).gap[1], 0.0);
  EXPECT_FALSE(eval_is_active(*loaded.model, 1, loaded.initial));
}

/// A gyration radius of 0 is a point mass: both ways to write it are the same model.
TEST(ModelFileTest, GyrationZeroIsAPointMass) {
  const std::string text = builtin_text("sliding-block");
  const std::string solid =
      replace(text, "point_masses = [{ mass = 1, at = [0, 0] }]", "mass = 1\ngyration = 0");
  EXPECT_EQ(print_all(parse_model("a.toml", text, {})),
            print_all(parse_model("a.toml", solid, {})));
}

TEST(ModelFileTest, InertiaIsMassTimesGyrationSquared) {
  const std::string text = builtin_text("sliding-rod");
  const std::string inertia = replace(text, "gyration = \"rho\"", "inertia = \"m*rho*rho\"");
  const LoadedModel a = parse_model("a.toml", text, {});
  const LoadedModel b = parse_model("a.toml", inertia, {});
  EXPECT_NEAR(eval_dynamics(*a.model, a.initial).M(2, 2), 0.4, 1e-15);
  EXPECT_NEAR(eval_dynamics(*b.model, b.initial).M(2, 2), 0.4, 1e-15);
}

/// Texts near a valid model: bytes flipped, pieces deleted or doubled, lines swapped, numbers and
/// names exchanged. Only raw output of the generator is used, so that every library agrees.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t count = 1 + pick(3); count > 0; --count) text = mutate_once(std::move(text));
    return text;
  }

 private:
  std::size_t pick(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  std::string mutate_once(std::string text) {
    if (text.empty()) return text;
    const std::size_t at = pick(text.size());
    const std::size_t length = std::min(1 + pick(12), text.size() - at);
    switch (pick(7)) {
      case 0:
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << pick(8)));
        return text;
      case 1:
        text[at] = static_cast<char>(' ' + pick(95));
        return text;
      case 2:
        return text.erase(at, length);
      case 3:
        return text.insert(at, text.substr(at, length));
      case 4:
        return swap_lines(text);
      case 5:
        return text.replace(at, length, text, pick(text.size()), length);
      default:
        return replace_number(std::move(text), at);
    }
  }

  std::string swap_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (lines.empty()) return text;
    std::swap(lines[pick(lines.size())], lines[pick(lines.size())]);
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }

  /// The next digits become a number that is hard to digest.
  std::string replace_number(std::string text, std::size_t from) {
    static const char* const kNumbers[] = {"0",      "-1",    "1e308", "-1e308",
                                           "1e-308", "1e999", "17",    "9",
                                           "nan",    "inf",   "1/0",   "99999999999999999999"};
    const std::size_t at = text.find_first_of("0123456789", from);
    if (at == std::string::npos) return text;
    const std::size_t end = text.find_first_not_of("0123456789.", at);
    return text.replace(at, std::min(end, text.size()) - at, kNumbers[pick(std::size(kNumbers))]);
  }

  std::mt19937_64 random_;
};

/// Accepted, or refused with InputError and one line. Nothing else.
TEST_P(BuiltinModelTest, MutatedFilesAreAcceptedOrRefused) {
  const std::string text = builtin_text(GetParam());
  Mutator mutator(20240613);
  int accepted = 0;
  int refused = 0;
  const int mutations = testkit::cases(kMutations);
  for (int i = 0; i < mutations; ++i) {
    const std::string mutated = mutator.mutate(text);
    try {
      const LoadedModel loaded = parse_model("mutated.toml", mutated, {});
      ASSERT_TRUE(loaded.initial.q.allFinite() && loaded.initial.v.allFinite()) << mutated;
      (void)make_classify_json(loaded, classify(*loaded.model, loaded.initial, Tolerances{}));
      ++accepted;
    } catch (const InputError& error) {
      const std::string message = error.what();
      ASSERT_EQ(message.find('\n'), std::string::npos) << message << "\n" << mutated;
      ASSERT_EQ(message.rfind("mutated.toml", 0), 0U) << message << "\n" << mutated;
      ++refused;
    } catch (const std::exception& error) {
      FAIL() << "mutation " << i << ": " << error.what() << "\n" << mutated;
    }
  }
  // Both happen often, or the mutations test nothing.
  EXPECT_GT(accepted, mutations / 50);
  EXPECT_GT(refused, mutations / 50);
}

}  // namespace
}  // namespace slipstick
