/// Bad model files: each is refused with one sentence that names file, line and key, says what was
/// expected and what was found. Lines are counted here in the text, not taken from the parser.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "slipstick/errors.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "unit/io/model_text.h"

namespace slipstick {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testkit::builtin_text;
using testkit::line_of;
using testkit::repeat;
using testkit::replace;

const char* const kFile = "bad.toml";

/// The message of the InputError; fails if the text is accepted or something else is thrown.
std::string refuse(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    (void)parse_model(kFile, text, overrides);
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected InputError, got: " << error.what();
    return "";
  }
  ADD_FAILURE() << "expected InputError, but the file was accepted:\n" << text.substr(0, 3000);
  return "";
}

std::string refuse_path(const std::string& path) {
  try {
    (void)read_model(path, {});
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected InputError, got: " << error.what();
    return "";
  }
  ADD_FAILURE() << "expected InputError, but '" << path << "' was accepted";
  return "";
}

void expect_one_line(const std::string& message) {
  EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) {
    return c == '\n' || c == '\r' || c == '\0';
  })) << message;
}

/// Where an error must point: at the one line of the text with `marker`, or, where several lines
/// may be blamed, at any one.
const char* const kAnyLine = "";

/// A text made when the test runs: a built-in model with its only `from` replaced by `to`.
struct Edit {
  std::string model, from, to;
  std::string before;  ///< goes before it all

  [[nodiscard]] std::string make_text() const {
    return before + (model.empty() ? "" : replace(builtin_text(model), from, to));
  }
};

struct BadModel {
  std::string name;      ///< of the test
  Edit edit;             ///< makes the file
  std::string marker;    ///< on the line that is to be blamed; kAnyLine: some line
  std::string key;       ///< or entry that is to be named
  std::string sentence;  ///< how it goes on: what was expected, what was found
};

void PrintTo(const BadModel& bad, std::ostream* out) { *out << bad.name; }  // NOLINT: of gtest

class BadModelTest : public ::testing::TestWithParam<BadModel> {};

TEST_P(BadModelTest, IsRefusedWithFileLineAndKey) {
  const BadModel& bad = GetParam();
  const std::string text = bad.edit.make_text();
  const std::string message = refuse(text);
  expect_one_line(message);
  EXPECT_THAT(message, HasSubstr(bad.sentence));
  if (bad.marker == kAnyLine) {
    EXPECT_THAT(message, ContainsRegex("^bad\\.toml:[0-9]+: "));
    EXPECT_THAT(message, HasSubstr(bad.key));
  } else {
    EXPECT_THAT(message, StartsWith(std::string(kFile) + ":" +
                                    std::to_string(line_of(text, bad.marker)) + ": " + bad.key));
  }
}

Edit change(const char* model, const char* from, const std::string& to) {
  return {model, from, to, ""};
}
Edit file(const std::string& text) { return {"", "", "", text}; }
Edit put_before(const std::string& text, Edit edit) {
  edit.before = text;
  return edit;
}

/// A built-in model with one part replaced, the error being on the line of the new part.
BadModel bad(const char* name, const char* model, const char* from, const std::string& to,
             const char* key, const char* sentence) {
  return {name, change(model, from, to), to, key, sentence};
}

std::vector<BadModel> make_toml_cases() {
  return {
      {"NotToml", file("title = \"x\"\nhello world\n"), "hello", "", "expected TOML, got an error"},
      {"KeyTwice", file("title = \"x\"\ntitle = \"y\"\n"), "y", "", "expected TOML, got an error"},
      {"UnclosedText", file("title = \"x\nname = 1\n"), "title", "", "expected TOML, got an error"},
      {"NotUtf8", file("title = \"\xff\"\n"), "title", "", "expected TOML, got an error"},
      bad("GaitWithoutContact", "rimless-wheel", "section = \"next\"", "section = \"nxt\"",
          "gait.section", "expected the name of a contact, got 'nxt'"),
      bad("GaitWithoutCoordinate", "rimless-wheel", "advance = \"x\"", "advance = \"s\"",
          "gait.advance", "expected the name of a coordinate, got 's'"),
      bad("UnknownRootKey", "sliding-rod", "gravity =", "gravty =", "gravty",
          "unknown key 'gravty', expected one of 'name', 'title'"),
      bad("UnknownBodyKey", "sliding-rod", "gyration = \"rho\"", "gyraton = \"rho\"",
          "bodies.rod.gyraton",
          "unknown key 'gyraton', expected one of 'name', 'mass', 'inertia', 'gyration', 'com', "
          "'point_masses', 'shape', 'joint'; did you mean 'gyration'?"),
      bad("UnknownJointKey", "bouncing-ball", "axis = [0, 1]", "axes = [0, 1]",
          "bodies.ball.joint.axes", "did you mean 'axis'?"),
      bad("UnknownContactKey", "bouncing-ball", "law = \"poisson\"", "lav = \"poisson\"",
          "contacts.ball.lav", "did you mean 'law'?"),
      bad("UnknownSurfaceKey", "two-link-rail", "speed = \"rail_speed\"", "sped = \"rail_speed\"",
          "surfaces.rail.sped", "did you mean 'speed'?"),
      bad("UnknownSpringKey", "two-link-rail", "stiffness = \"k\"", "stifness = \"k\"",
          "torsion_springs.stifness", "did you mean 'stiffness'?"),
      bad("UnknownForceKey", "klein-bar", "torque = \"torque\"", "torqe = \"torque\"",
          "forces.torqe", "did you mean 'torque'?"),
      bad("UnknownRelabelKey", "compass-biped", "after = ", "aftr = ", "relabel.aftr",
          "did you mean 'after'?"),
      bad("UnknownInitialKey", "sliding-block", "x_dot =", "x_dt =", "initial.x_dt",
          "expected a coordinate or its rate, got 'x_dt'; did you mean 'x_dot'?"),
      bad("UnknownClosingKey", "two-link-rail", "between =", "betwen =", "initial.theta2.betwen",
          "did you mean 'between'?"),
      {"MissingBodyName", change("sliding-rod", "name = \"rod\"\n", ""), "[[bodies]]", "bodies.",
       "missing key 'name'"},
      {"MissingJoint", change("sliding-block", "joint = {", "# joint = {"), "[[bodies]]",
       "bodies.block", "missing key 'joint'"},
      {"MissingJointType", change("sliding-block", "type = \"translation\", ", ""),
       "joint =", "bodies.block.joint", "missing key 'type'"},
      {"MissingCoordinate", change("bouncing-ball", ", coordinate = \"y\"", ""),
       "joint =", "bodies.ball.joint", "missing key 'coordinate'"},
      {"MissingAxis", change("bouncing-ball", "axis = [0, 1], ", ""),
       "joint =", "bodies.ball.joint", "missing key 'axis'"},
      {"MissingSurface", change("sliding-block", "surface = \"ground\"\n", ""), "[[contacts]]",
       "contacts.block", "missing key 'surface'"},
      {"MissingInertia", change("painleve-bar", "inertia = \"I\"\n", ""), "[[bodies]]",
       "bodies.bar", "expected `inertia` or `gyration` beside `mass`, got none"},
      {"InertiaTwice", change("painleve-bar", "inertia =", "gyration = 1\ninertia ="), "[[bodies]]",
       "bodies.bar", "expected `inertia` or `gyration` beside `mass`, got both"},
      bad("MissingMass", "sliding-rod", "mass = \"m\"\ngyration = \"rho\"", "gyration = \"rho\"",
          "bodies.rod.gyration", "expected `mass` beside it, got none"),
      {"MissingValue",
       change("klein-bar", "torque = \"torque\"",
              "torque = \"torque\"\n[[forces]]\n  coordinate = \"x\""),
       "[[forces]]\n  coordinate", "forces", "missing key 'value'"},
  };
}

std::vector<BadModel> make_type_cases() {
  return {
      bad("NumberIsFlag", "sliding-rod", "mass = \"m\"", "mass = true", "bodies.rod.mass",
          "expected a number or an expression, got true"),
      bad("NumberIsDate", "sliding-block", "v0 = 3", "v0 = 2020-01-02", "parameters.v0",
          "expected a number or an expression, got a date or time"),
      bad("NumberIsList", "sliding-block", "v0 = 3", "v0 = [3]", "parameters.v0",
          "expected a number or an expression, got a list of 1"),
      bad("TextIsNumber", "sliding-block", "title = \"Sliding block\"", "title = 7", "title",
          "expected a text, got 7"),
      bad("TextIsEmpty", "sliding-block", "title = \"Sliding block\"", "title = \"\"", "title",
          "expected a text, got an empty one"),
      bad("FlagIsNumber", "bouncing-ball", "law = \"poisson\"", "bilateral = 1",
          "contacts.ball.bilateral", "expected true or false, got 1"),
      bad("PointIsNumber", "two-link-rail", "point = [0, \"-H\"]", "point = \"-H\"",
          "surfaces.rail.point", "expected two numbers [x, y], got '-H'"),
      bad("PointOfThree", "two-link-rail", "point = [0, \"-H\"]", "point = [0, 1, 2]",
          "surfaces.rail.point", "expected two numbers [x, y], got a list of 3"),
      bad("ForceOfOne", "klein-bar", "force = [\"force\", 0]", "force = [\"force\"]",
          "forces.force", "expected two numbers or expressions [x, y], got a list of 1"),
      bad("TableIsNumber", "sliding-block", "joint = { type = \"translation\", ",
          "joint = 3 # { type = \"translation\", ", "bodies.block.joint",
          "expected a table, got 3"),
      {"ParametersAreNumber", file("parameters = 1\n"), "parameters", "parameters",
       "expected a table, got 1"},
      {"InitialIsNumber",
       put_before("initial = 1\n", change("bouncing-ball", "[initial]\ny = \"height\"", "")),
       "initial = 1", "initial", "expected a table, got 1"},
      {"BodiesAreTable", file("[bodies]\nname = \"a\"\n"), "[bodies]", "bodies",
       "expected a list of tables, got a table"},
      {"BodiesAreNumbers", file("bodies = [1]\n"), "bodies", "bodies",
       "expected a list of tables, got 1"},
      bad("RateIsTable", "sliding-block", "x_dot = \"v0\"", "x_dot = { close = \"block\" }",
          "initial.x_dot", "expected a number or an expression for a rate, got a table"),
      bad("UnknownJointType", "sliding-block", "\"translation\"", "\"translaton\"",
          "bodies.block.joint.type",
          "expected one of 'fixed', 'revolute', 'prismatic', 'translation', 'free', got "
          "'translaton'; did you mean 'translation'?"),
      bad("UnknownLaw", "bouncing-ball", "\"poisson\"", "\"poison\"", "contacts.ball.law",
          "got 'poison'; did you mean 'poisson'?"),
      bad("UnknownSense", "sliding-rod", "\"clockwise\"", "\"left\"", "bodies.rod.joint.sense",
          "expected one of 'counter-clockwise', 'clockwise', got 'left'"),
      bad("SenseWithoutAngle", "sliding-block", "type = \"translation\"",
          "sense = \"clockwise\", type = \"translation\"", "bodies.block.joint.sense",
          "expected no `sense` for this joint: it has no angle among its coordinates"),
      bad("MeasuredWithoutAngle", "sliding-block", "type = \"translation\"",
          "measured = \"absolute\", type = \"translation\"", "bodies.block.joint.measured",
          "expected no `measured` for this joint"),
      bad("TooFewCoordinates", "sliding-block", "[\"x\", \"y\"]", "[\"x\"]",
          "bodies.block.joint.coordinates", "expected 2 names, got 1"),
      bad("CoordinatesForOne", "bouncing-ball", "coordinate = \"y\"",
          "coordinate = \"y\", coordinates = [\"y\"]", "bodies.ball.joint.coordinates",
          "expected `coordinate` for this joint"),
      bad("AxisOfFreeBody", "sliding-block", "type = \"translation\"",
          "axis = [1, 0], type = \"translation\"", "bodies.block.joint.axis",
          "expected no axis for this joint"),
  };
}

std::vector<BadModel> make_number_cases() {
  const auto mass = [](const char* name, const char* value, const char* sentence) {
    return bad(name, "sliding-rod", "mass = \"m\"", std::string("mass = ") + value,
               "bodies.rod.mass", sentence);
  };
  const auto v0 = [](const char* name, const std::string& value, const char* sentence) {
    return bad(name, "sliding-block", "v0 = 3", "v0 = " + value, "parameters.v0", sentence);
  };
  const auto contact = [](const char* name, const char* line, const char* key,
                          const char* sentence) {
    return bad(name, "sliding-block", "mu = \"mu\"", line, key, sentence);
  };
  return {
      mass("MassZero", "0", "expected a number > 0, got 0"),
      mass("MassNegative", "-2.5", "expected a number > 0, got -2.5"),
      mass("MassFromExpression", "\"1 - 1\"", "expected a number > 0, got 0"),
      bad("InertiaZero", "painleve-bar", "inertia = \"I\"", "inertia = 0", "bodies.bar.inertia",
          "expected a number > 0, got 0"),
      bad("InertiaNegative", "painleve-bar", "inertia = \"I\"", "inertia = \"-I\"",
          "bodies.bar.inertia", "expected a number > 0, got -0.08333"),
      bad("GyrationNegative", "sliding-rod", "gyration = \"rho\"", "gyration = -1",
          "bodies.rod.gyration", "expected a number >= 0, got -1"),
      bad("PointMassZero", "sliding-block", "mass = 1,", "mass = 0,",
          "bodies.block.point_masses.mass", "expected a number > 0, got 0"),
      bad("StiffnessNegative", "two-link-rail", "stiffness = \"k\"", "stiffness = \"-k\"",
          "torsion_springs.stiffness", "expected a number >= 0, got -1.3"),
      contact("FrictionNegative", "mu = -0.1", "contacts.block.mu",
              "expected a number >= 0, got -0.1"),
      contact("StaticBelowKinetic", "mu_s = 0.1\nmu = \"mu\"", "contacts.block.mu_s",
              "expected static friction >= mu = 0.5, got 0.1"),
      contact("RestitutionTwo", "restitution = 2", "contacts.block.restitution",
              "expected a number in [0, 1], got 2"),
      contact("RestitutionNegative", "restitution = -0.5", "contacts.block.restitution",
              "expected a number >= 0, got -0.5"),
      contact("RadiusNegative", "radius = -1", "contacts.block.radius",
              "expected a number >= 0, got -1"),
      v0("Nan", "nan", "expected a finite number, got nan"),
      v0("Infinity", "inf", "expected a finite number, got infinity"),
      v0("MinusInfinity", "-inf", "expected a finite number, got infinity"),
      v0("NanFromExpression", "\"sqrt(-1)\"", "expected a finite number, got nan from 'sqrt(-1)'"),
      v0("InfinityFromExpression", "\"1/0\"", "expected a finite number, got infinity from '1/0'"),
      v0("InfinityFromPower", "\"10^400\"", "expected a finite number, got infinity from '10^400'"),
      v0("UnknownName", "\"2*muu\"",
         "expected known names in '2*muu', got 'muu'; did you mean 'mu'"),
      v0("CycleOfOne", "\"v0 + 1\"", "expected a value, got a cycle: 'v0' depends on itself"),
      v0("Assignment", "\"a = 3\"", "expected an expression, got an assignment in 'a = 3'"),
      v0("List", "\"1, 2\"", "expected one value, got a list in '1, 2'"),
      v0("NotAscii", "\"3\u00b72\"", "expected an expression in plain ASCII, got other characters"),
      v0("NewlineInExpression", "\"1 +\\n2\"", "expected an expression in plain ASCII"),
      v0("Empty", "\" \"", "expected an expression, got an empty text"),
      v0("Unfinished", "\"3 +\"", "expected an expression, got '3 +'"),
      v0("UnknownFunction", "\"sine(3)\"", "got 'sine(3)'"),
      v0("TooManyArguments", "\"sin(1, 2)\"", "expected an expression, got 'sin(1, 2)'"),
      v0("TimeInNumber", "\"t\"", "expected known names in 't', got 't'"),
      v0("TooLong", "\"" + repeat("1+", 5000) + "1\"",
         "expected an expression of at most 4000 characters, got 10001"),
      v0("DeepParentheses", "\"" + repeat("(", 10000) + "1" + repeat(")", 10000) + "\"",
         "expected an expression of at most 4000 characters, got 20001"),
  };
}

std::vector<BadModel> make_name_cases() {
  const auto parameter = [](const char* test, const std::string& name, const char* sentence) {
    return bad(test, "sliding-block", "v0 = 3", name + " = 3", "", sentence);
  };
  return {
      parameter("ParameterNamedT", "t", "parameters.t: expected a name of letters, digits and '_'"),
      parameter("ParameterNamedSin", "sin", "parameters.sin: expected a name of letters"),
      parameter("ParameterNamedPi", "pi", "parameters.pi: expected a name of letters"),
      parameter("ParameterNamedDeg", "deg", "parameters.deg: expected a name of letters"),
      parameter("ParameterWithDash", "v-0", "parameters.v-0: expected a name of letters"),
      parameter("ParameterWithDigitFirst", "0v", "parameters.0v: expected a name of letters"),
      parameter("ParameterNamedLikeCoordinate", "x", "expected a name used once"),
      parameter("ParameterNamedLikeRate", "x_dot", "expected a name used once"),
      {"CoordinateNamedSin", change("bouncing-ball", "\"y\" }", "\"sin\" }"), kAnyLine, "'sin'",
       "expected a name of letters"},
      {"CyclicParameters",
       change("sliding-block", "[parameters]", "[parameters]\na = \"b\"\nb = \"2*c\"\nc = \"a\""),
       kAnyLine, "parameters.", "expected a value, got a cycle: "},
      {"UnknownParent", change("two-link-rail", "parent = \"upper\"", "parent = \"uper\""),
       "[[bodies]]\nname = \"lower\"", "bodies.lower",
       "expected the name of a body or 'world', got 'uper'; did you mean 'upper'?"},
      {"BodyTwice", change("two-link-rail", "name = \"lower\"", "name = \"upper\" #"),
       "[[bodies]]\nname = \"upper\" #", "bodies.upper",
       "expected names used once, got a second body 'upper'"},
      {"SurfaceTwice", change("klein-bar", "name = \"upper_slide\"", "name = \"lower_slide\" #"),
       "[[surfaces]]\nname = \"lower_slide\" #", "surfaces.lower_slide",
       "expected names used once, got a second surface 'lower_slide'"},
      {"ContactTwice", change("sliding-rod", "name = \"top\"", "name = \"tip\" #"),
       "[[contacts]]\nname = \"tip\" #", "contacts.tip",
       "expected names used once, got a second contact 'tip'"},
      {"BodyNamedWorld",
       change("bouncing-ball", "name = \"ball\"\npoint_masses", "name = \"world\"\npoint_masses"),
       "name = \"world\"", "bodies.world.name", "'world' is the fixed frame's name"},
      {"CyclicTree",
       change("two-link-rail", "coordinate = \"theta1\"",
              "coordinate = \"theta1\", parent = \"lower\""),
       "[[bodies]]\nname = \"upper\"", "bodies.upper",
       "expected bodies that hang on the world, got a cycle through 'upper'"},
      {"ParentOfItself", change("two-link-rail", "parent = \"upper\"", "parent = \"lower\""),
       "[[bodies]]\nname = \"lower\"", "bodies.lower", "got a cycle through 'lower'"},
      bad("FreeBodyOnBody", "sliding-block", "type = \"translation\"",
          "type = \"translation\", parent = \"block\"", "bodies.block.joint.parent",
          "expected 'world' for a free or translation joint, got 'block'"),
      {"UnknownBodyOfContact", change("sliding-block", "body = \"block\"", "body = \"blok\""),
       "[[contacts]]", "contacts.block",
       "expected the name of a body or 'world', got 'blok'; did you mean 'block'?"},
      {"ContactOfWorld", change("sliding-block", "body = \"block\"", "body = \"world\""),
       "body = \"world\"", "contacts.block.body", "expected the name of a body, got 'world'"},
      {"UnknownSurfaceOfContact",
       change("sliding-block", "surface = \"ground\"", "surface = \"grund\""), "[[contacts]]",
       "contacts.block", "expected the name of a surface, got 'grund'; did you mean 'ground'?"},
      {"UnknownBodyOfSpring", change("two-link-rail", "to = \"lower\"", "to = \"lowr\""),
       "[[torsion_springs]]\nbody = \"upper\"\nto", "torsion_springs",
       "expected the name of a body or 'world', got 'lowr'"},
      {"UnknownCoordinateOfForce",
       change("klein-bar", "torque = \"torque\"",
              "torque = \"torque\"\n[[forces]]\n  coordinate = \"thta\"\nvalue = 1"),
       "[[forces]]\n  coordinate", "forces",
       "expected the name of a coordinate, got 'thta'; did you mean 'theta'?"},
      {"ListedCoordinatesDiffer",
       change("compass-biped", "\"theta1\", \"theta2\", \"x\", \"y\"]",
              "\"theta1\", \"theta2\", \"x\", \"y\", \"z\"]"),
       kAnyLine, "coordinates", "expected `coordinates` to list each joint's coordinates once"},
      {"RelabelAfterUnknown", change("compass-biped", "after = \"swing\"", "after = \"swng\""),
       "[[relabel]]", "relabel", "expected the name of a contact, got 'swng'"},
      bad("RelabelOfUnknown", "compass-biped", "{ swing = \"stance\"", "{ swng = \"stance\"",
          "relabel.contacts", "expected the name of a contact, got 'swng'"),
      bad("RelabelToUnknown", "compass-biped", "{ swing = \"stance\"", "{ swing = \"stnce\"",
          "relabel.contacts", "expected the name of a contact, got 'stnce'"),
      bad("RelabelTwice", "compass-biped", "stance = \"swing\" }", "stance = \"stance\" }",
          "relabel.contacts", "expected names used once, got 'stance' twice"),
      {"RelabelSetsUnknown", change("compass-biped", "theta1 = \"-theta2\"", "thta1 = \"-theta2\""),
       kAnyLine, "relabel.set",
       "expected a coordinate or its rate, got 'thta1'; did you mean 'theta1'?"},
  };
}

std::vector<BadModel> make_state_cases() {
  const Edit massless =
      change("two-link-rail",
             "name = \"lower\"\nmass = \"m\"\ngyration = \"l/sqrt(12)\"\ncom = [0, \"-l/2\"]\n",
             "name = \"lower\"\n");
  return {
      {"Penetration", change("sliding-block", "y = { close = \"block\" }", "y = -0.5"), kAnyLine,
       "initial",
       "expected contact 'block' to start outside its surface, got a penetration of 0.5 m"},
      // The tip comes down to l (1 + cos(32 deg)) = 0.388 m at most.
      {"ClosingImpossible", change("two-link-rail", "H = 0.3775", "H = 0.5"), kAnyLine, "initial",
       "expected that contact 'tip' can be closed, got a gap of 0.11191 m"},
      {"ClosingOutsideBracket",
       change("two-link-rail", "between = [0, \"pi\"]", "between = [1, \"pi\"]"), kAnyLine,
       "initial", "expected that contact 'tip' can be closed, got a gap of"},
      bad("ClosingUnknown", "sliding-block", "close = \"block\"", "close = \"blok\"",
          "initial.y.close", "expected the name of a contact, got 'blok'"),
      bad("ClosingTwice", "sliding-block", "x_dot = \"v0\"", "x = { close = \"block\" }",
          "initial.", "'block'"),
      bad("FallingInterval", "two-link-rail", "[0, \"pi\"]", "[\"pi\", 0]",
          "initial.theta2.between", "expected a rising interval, got [3.14159"),
      bad("UsesClosedCoordinate", "two-link-rail", "theta1 = \"32*deg\"", "theta1 = \"2*theta2\"",
          "initial.theta1", "cannot use 'theta2' in '2*theta2': it follows from closing a contact"),
      bad("UsesClosedRate", "two-link-rail", "theta1 = \"32*deg\"", "theta1 = \"0.5 + theta2_dot\"",
          "initial.theta1", "cannot use 'theta2_dot'"),
      bad("RateUsesClosedRate", "two-link-rail", "theta1 = \"32*deg\"",
          "theta1_dot = \"theta2_dot\"", "initial.theta1_dot",
          "cannot use 'theta2_dot' in 'theta2_dot'"),
      {"MasslessEndBody", massless, kAnyLine, "'theta2'",
       "expected a regular mass matrix, got a singular one: nothing resists 'theta2'"},
      {"BilateralOpen", change("klein-bar", "y = \"l*sin(theta)\"", "y = \"l*sin(theta) + 0.1\""),
       kAnyLine, "initial",
       "expected bilateral contact 'lower' to start closed, got a gap of 0.1 m"},
      {"BilateralWithGapRate", change("klein-bar", "x_dot = 1", "y_dot = 1"), kAnyLine, "initial",
       "expected bilateral contact 'lower' to stay closed, got a gap rate of 1 m/s"},
      {"NormalZero",
       change("sliding-block", "name = \"ground\"", "name = \"ground\"\nnormal = [0, 0]"),
       "[[surfaces]]", "surfaces.ground", "expected a normal that is not zero, got [0, 0]"},
      {"AxisZero", change("bouncing-ball", "axis = [0, 1]", "axis = [0, \"1 - 1\"]"), "[[bodies]]",
       "bodies.ball", "expected an axis that is not zero, got [0, 0]"},
      bad("SpeedOfCoordinate", "two-link-rail", "speed = \"rail_speed\"", "speed = \"t + theta1\"",
          "surfaces.rail.speed", "expected a function of t alone, got one of 'theta1'"),
      bad("SpeedOfRate", "two-link-rail", "speed = \"rail_speed\"", "speed = \"theta1_dot\"",
          "surfaces.rail.speed", "expected a function of t alone, got one of 'theta1_dot'"),
      bad("SpeedOfUnknown", "two-link-rail", "speed = \"rail_speed\"", "speed = \"rail_sped\"",
          "surfaces.rail.speed", "got 'rail_sped'; did you mean 'rail_speed'?"),
      bad("ForceOfUnknown", "klein-bar", "torque = \"torque\"", "torque = \"torqe\"",
          "forces.torque", "expected known names in 'torqe', got 'torqe'; did you mean 'torque'?"),
      bad("ForceIsNan", "klein-bar", "torque = \"torque\"", "torque = \"0/0\"", "forces.torque",
          "expected a finite number, got nan from '0/0'"),
      {"ForceWithoutTarget", change("klein-bar", "body = \"bar\"\nat", "at"), "[[forces]]",
       "forces", "expected either `coordinate` or `body`, got both or none"},
  };
}

/// Numbers that are finite each, but not what follows from them at the start.
std::vector<BadModel> make_overflow_cases() {
  return {
      {"ForceInfiniteAtStart", change("klein-bar", "torque = \"torque\"", "torque = \"1/x\""),
       "torque = \"1/x\"", "forces.torque", "expected a finite"},
      {"SpeedNanAtStart",
       change("two-link-rail", "speed = \"rail_speed\"", "speed = \"sqrt(t - 1)\""),
       "speed = \"sqrt(t - 1)\"", "surfaces.rail.speed", "expected a finite"},
      {"InertiaOverflows", change("sliding-rod", "gyration = \"rho\"", "gyration = 1e200"),
       "gyration = 1e200", "bodies.rod.gyration", "expected a finite"},
      {"ConditionNanAtStart",
       change("compass-biped", "active_when = \"sin(theta1) + sin(theta2) > 0.001\"",
              "active_when = \"0/x\""),
       "active_when = \"0/x\"", "contacts.swing.active_when", "expected a finite"},
  };
}

/// Names are texts and may hold a newline; the message is one line all the same.
std::vector<BadModel> make_newline_cases() {
  return {
      {"NewlineInKey", file("title = \"x\"\n\"a\\nb\" = 1\n"), "b\" = 1", "a", "unknown key 'a"},
      {"NewlineInName",
       change("sliding-block", "name = \"block\"\nbody", "name = \"bl\\nock\"\nmuu = 1\nbody"),
       "muu", "contacts.bl", "unknown key 'muu'"},
      {"NewlineInText", change("sliding-block", "type = \"translation\"", "type = \"a\\nb\""),
       "a\\nb", "bodies.block.joint.type", "expected one of"},
  };
}

std::string name_of(const ::testing::TestParamInfo<BadModel>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Toml, BadModelTest, ::testing::ValuesIn(make_toml_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Type, BadModelTest, ::testing::ValuesIn(make_type_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Number, BadModelTest, ::testing::ValuesIn(make_number_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Name, BadModelTest, ::testing::ValuesIn(make_name_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(State, BadModelTest, ::testing::ValuesIn(make_state_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Overflow, BadModelTest, ::testing::ValuesIn(make_overflow_cases()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Newline, BadModelTest, ::testing::ValuesIn(make_newline_cases()), name_of);

/// Two coordinates of one name, or one named like another's rate, are not "a parameter".
TEST(CoordinateNamesTest, ClashIsNotBlamedOnAParameter) {
  for (const char* second : {"x", "x_dot"}) {
    const std::string message = refuse(replace(builtin_text("sliding-block"), "[\"x\", \"y\"]",
                                               std::string("[\"x\", \"") + second + "\"]"));
    EXPECT_THAT(message, HasSubstr(std::string("'") + second + "'"));
    EXPECT_THAT(message, Not(HasSubstr("parameter")));
  }
}

/// The contacts do close, but not in the interval asked for.
TEST(ClosingErrorsTest, ResultOutsideTheIntervalIsNoGap) {
  const std::string message =
      refuse(replace(builtin_text("jamming-chain"), "psi = { close = \"front\" }",
                     "psi = { close = \"front\", between = [1, 2] }"));
  EXPECT_THAT(message, HasSubstr("psi"));
  EXPECT_THAT(message, Not(HasSubstr("got a gap of")));
}

/// A row of `count` blocks, each on the ground.
std::string make_blocks(int count, bool with_contacts) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "[[bodies]]\nname = \"block" + n + "\"\nmass = 1\ngyration = 0\n" +
            "joint = { type = \"prismatic\", axis = [0, 1], coordinate = \"y" + n + "\" }\n";
  }
  if (!with_contacts) return text;
  text += "[[surfaces]]\nname = \"ground\"\n";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "[[contacts]]\nname = \"c" + n + "\"\nbody = \"block" + n + "\"\nsurface = \"ground\"\n";
  }
  return text;
}

TEST(ModelLimitsTest, SixteenCoordinatesAndEightContacts) {
  EXPECT_EQ(parse_model(kFile, make_blocks(16, false), {}).model->size(), 16);
  EXPECT_EQ(parse_model(kFile, make_blocks(8, true), {}).model->contact_count(), 8);
  const std::string coordinates = refuse(make_blocks(17, false));
  EXPECT_THAT(coordinates, StartsWith("bad.toml: expected at most 16 coordinates, got 17"));
  const std::string contacts = refuse(make_blocks(9, true));
  EXPECT_THAT(contacts, StartsWith("bad.toml: expected at most 8 contacts, got 9"));
  EXPECT_THAT(refuse(make_blocks(5000, true)), HasSubstr("expected at most 16 coordinates"));
}

TEST(ModelLimitsTest, NoBodyOrNoMotion) {
  EXPECT_THAT(refuse("title = \"nothing\"\n"), HasSubstr("expected at least one body, got none"));
  EXPECT_THAT(
      refuse("[[bodies]]\nname = \"a\"\nmass = 1\ngyration = 1\njoint = { type = \"fixed\" }\n"),
      HasSubstr("expected a joint that moves, got only fixed bodies"));
}

TEST(ModelLimitsTest, DeepNesting) {
  constexpr int kDepth = 10000;
  const auto dotted = [](const char* part, const char* dot) {
    return repeat(std::string(part) + dot, kDepth - 1) + part;
  };
  struct Case {
    const char* name;
    std::string text;
    const char* sentence;
  };
  const Case cases[] = {
      {"arrays", "x = " + repeat("[", kDepth) + repeat("]", kDepth), "depth"},
      {"inline tables", "x = " + repeat("{ a = ", kDepth) + "1" + repeat("}", kDepth), "depth"},
      {"dotted key", dotted("a", ".") + " = 1", "expected keys of at most 100 parts"},
      {"spaced dotted key", dotted("a", " . ") + " = 1", "expected keys of at most 100 parts"},
      {"quoted dotted key", dotted("'a'", ".") + " = 1", "expected keys of at most 100 parts"},
      {"table header", "[" + dotted("a", ".") + "]", "expected keys of at most 100 parts"},
      {"array header", "[[" + dotted("a", ".") + "]]", "expected keys of at most 100 parts"},
  };
  for (const Case& deep : cases) {
    SCOPED_TRACE(deep.name);
    const std::string message = refuse("title = \"x\"\n" + deep.text + "\n");
    expect_one_line(message);
    EXPECT_THAT(message, StartsWith("bad.toml:2: "));
    EXPECT_THAT(message, HasSubstr(deep.sentence));
  }
}

TEST(ModelLimitsTest, DotsInACommentOrATextAreNoKey) {
  const std::string dots(200, '.');
  EXPECT_NO_THROW((void)parse_model(kFile, builtin_text("sliding-block") + "\n# " + dots, {}));
  EXPECT_NO_THROW((void)parse_model(
      kFile, replace(builtin_text("sliding-block"), "Sliding block", "Sliding" + dots), {}));
}

/// U+FCFF is a letter that the TOML parser's tables do not know; found by tools/fuzz.
TEST(ModelLimitsTest, LettersBeyondAsciiOutsideOfTexts) {
  for (const char* line : {"\uFCFF = 1", "m\u00b5 = 1", "[\u00e9]", "x = \u00e9"}) {
    EXPECT_THAT(refuse("title = \"\u00e9\"  # \u00e9\n" + std::string(line) + "\n"),
                StartsWith("bad.toml:2: expected plain ASCII outside of texts and comments"))
        << line;
  }
  for (const char* text : {"\"\"\"\\\uFE7F\"\"\"", "\"\\\uFCFF\"", "\"\"\"\\\n  \uFCFF\"\"\""}) {
    EXPECT_THAT(refuse("\ntitle = " + std::string(text) + "\n"),
                StartsWith("bad.toml:2: expected plain ASCII after a backslash"))
        << text;
  }
  EXPECT_THAT(
      refuse("\nx = [0oin\"mas\uFEBF e\"\n"),
      StartsWith("bad.toml:2: expected a value, got a quote, a bracket or another character "
                 "within a word"));
  for (const char* title : {R"(""""four" quotes"""")", R"('''one'''')", R"(" \\")"}) {
    const std::string text = replace(builtin_text("sliding-block"), "\"Sliding block\"", title);
    EXPECT_NO_THROW((void)parse_model(kFile, text, {})) << title;
  }
  EXPECT_NO_THROW((void)parse_model(kFile, "\uFEFF" + builtin_text("sliding-block"), {}));
}

TEST(ModelLimitsTest, LongChainOfParameters) {
  // Each value builds on the one after it, so the first asks for all others.
  const auto chain = [](int length) {
    std::string text = "[parameters]\n";
    for (int i = 1; i < length; ++i) {
      text += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + " + 1\"\n";
    }
    text += "p" + std::to_string(length) + " = 1\n";
    return replace(builtin_text("sliding-block"), "[parameters]\n", text);
  };
  EXPECT_EQ(parse_model(kFile, chain(100), {}).parameters.at(0).value, 100.0);
  const std::string message = refuse(chain(10000));
  EXPECT_THAT(message, ContainsRegex("^bad\\.toml:[0-9]+: parameters\\.p[0-9]+: "));
  EXPECT_THAT(message, HasSubstr("expected at most 100 values that build on each other"));
}

TEST(OverrideErrorsTest, NameIsUnknown) {
  const std::string message = refuse(builtin_text("two-link-rail"), {{"theta", "1"}});
  EXPECT_EQ(message,
            "--set theta=1: expected a parameter, coordinate or rate of this model, got 'theta'; "
            "did you mean 'theta1'?");
  EXPECT_THAT(refuse(builtin_text("two-link-rail"), {{"", "1"}}), HasSubstr("got ''"));
  EXPECT_THAT(refuse(builtin_text("two-link-rail"), {{"pi", "3"}}), HasSubstr("got 'pi'"));
}

TEST(OverrideErrorsTest, ExpressionIsBad) {
  const std::string text = builtin_text("two-link-rail");
  const auto message = [&](const char* name, const char* expression) {
    std::string out = refuse(text, {{name, expression}});
    expect_one_line(out);
    return out;
  };
  EXPECT_EQ(message("m", "1/0"), "--set m=1/0: expected a finite number, got infinity from '1/0'");
  EXPECT_EQ(message("m", "2*ll"),
            "--set m=2*ll: expected known names in '2*ll', got 'll'; did you mean 'l'?");
  EXPECT_THAT(message("m", ""), StartsWith("--set m=: expected an expression, got an empty text"));
  EXPECT_THAT(message("m", "m"), StartsWith("--set m=m: expected a value, got a cycle: 'm'"));
  EXPECT_THAT(message("m", "nan"), HasSubstr("got 'nan'"));
  EXPECT_THAT(message("theta1", "theta2"), HasSubstr("cannot use 'theta2'"));
  EXPECT_THAT(message("m", "1\n+1"), StartsWith("--set m="));
}

/// The value is fine as such but not for the key that uses it: both are named.
TEST(OverrideErrorsTest, ValueIsOutOfRange) {
  const std::string text = builtin_text("sliding-block");
  EXPECT_EQ(refuse(text, {{"mu", "-1"}}),
            "bad.toml:" + std::to_string(line_of(text, "mu = \"mu\"")) +
                ": contacts.block.mu: expected a number >= 0, got -1");
}

/// A directory of its own, gone afterwards.
class PathErrorsTest : public ::testing::Test {
 protected:
  PathErrorsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "slipstick-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = name;
  }
  ~PathErrorsTest() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string path(const char* file) const { return (directory_ / file).string(); }
  void write(const char* file, const std::string& text) const {
    std::ofstream(path(file), std::ios::binary) << text;
  }

 private:
  std::filesystem::path directory_;
};

TEST_F(PathErrorsTest, Directory) {
  EXPECT_EQ(refuse_path(path("")), path("") + ": expected a file, got a directory");
}

TEST_F(PathErrorsTest, NothingThere) {
  EXPECT_EQ(refuse_path(path("no.toml")),
            path("no.toml") + ": expected a built-in model or a model file, got neither");
  EXPECT_EQ(refuse_path("two-link-rial"),
            "two-link-rial: expected a built-in model or a model file, got neither; did you mean "
            "'two-link-rail'?");
}

TEST_F(PathErrorsTest, EmptyOrBlankFile) {
  write("empty.toml", "");
  EXPECT_EQ(refuse_path(path("empty.toml")),
            path("empty.toml") + ": expected a model, got an empty file");
  write("blank.toml", " \n\t\r\n");
  EXPECT_EQ(refuse_path(path("blank.toml")),
            path("blank.toml") + ": expected a model, got an empty file");
}

TEST_F(PathErrorsTest, GigabyteOfZeros) {
  write("zeros.toml", "");
  std::filesystem::resize_file(path("zeros.toml"), std::uintmax_t{1} << 30U);  // sparse
  EXPECT_EQ(refuse_path(path("zeros.toml")),
            path("zeros.toml") + ": expected a file of at most 1 MiB, got a larger one");
}

TEST_F(PathErrorsTest, SizeLimitIsOneMebibyte) {
  std::string text = builtin_text("sliding-block") + "\n# ";
  text.resize((1U << 20U), 'x');
  write("full.toml", text);
  EXPECT_NO_THROW((void)read_model(path("full.toml"), {}));
  write("over.toml", text + "x");
  EXPECT_THAT(refuse_path(path("over.toml")), HasSubstr("at most 1 MiB"));
}

TEST_F(PathErrorsTest, ZeroByte) {
  write("zero.toml", std::string("title = \"x\"\n\0\n", 14));
  EXPECT_EQ(refuse_path(path("zero.toml")),
            path("zero.toml") + ": expected a text file, got zero bytes in it");
}

TEST_F(PathErrorsTest, NameTooLongForTheSystem) {
  const std::string message = refuse_path(path("") + std::string(300, 'a'));
  EXPECT_THAT(message, HasSubstr("expected a built-in model or a model file"));
}

TEST_F(PathErrorsTest, LinkToItself) {
  std::filesystem::create_symlink("loop.toml", path("loop.toml"));
  EXPECT_THAT(refuse_path(path("loop.toml")), StartsWith(path("loop.toml") + ": expected "));
}

}  // namespace
}  // namespace slipstick
