/// `slipstick classify`: its answers, its JSON, its files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ClassifyCliTest : public CliTest {
 protected:
  [[nodiscard]] Json classify(const std::string& model,
                              const std::vector<std::string>& settings = {}) const {
    std::vector<std::string> args{"classify", model, "--json"};
    for (const std::string& setting : settings) {
      args.emplace_back("--set");
      args.push_back(setting);
    }
    return parse_json(answer(args));
  }
};

std::vector<std::string> list_keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

std::vector<std::string> list_words(const Json& json) {
  std::vector<std::string> out;
  for (const Json& solution : json.at("solutions")) out.push_back(solution.at("modes"));
  return out;
}

void expect_numbers(const Json& list, std::size_t count) {
  ASSERT_TRUE(list.is_array());
  EXPECT_EQ(list.size(), count);
  for (const Json& item : list) EXPECT_TRUE(item.is_number()) << list;
}

void expect_ranges(const Json& list, std::size_t count) {
  ASSERT_TRUE(list.is_array());
  EXPECT_EQ(list.size(), count);
  for (const Json& range : list) {
    ASSERT_EQ(range.size(), 2U);
    for (const Json& end : range) EXPECT_TRUE(end.is_number() || end.is_null()) << range;
  }
}

void expect_solution(const Json& solution, std::size_t contacts,
                     const std::vector<std::string>& coordinates) {
  const std::string modes = solution.at("modes");
  EXPECT_EQ(modes.size(), contacts);
  EXPECT_EQ(modes.find_first_not_of("FSPN"), std::string::npos) << modes;
  expect_numbers(solution.at("normal_force"), contacts);
  expect_numbers(solution.at("tangential_force"), contacts);
  EXPECT_EQ(list_keys(solution.at("acceleration")), coordinates);
  for (const auto& [name, value] : solution.at("acceleration").items()) {
    EXPECT_TRUE(value.is_number()) << name;
  }
  if (!solution.contains("family")) return;
  const Json& family = solution.at("family");
  EXPECT_GE(family.at("dimension").get<int>(), 1);
  expect_ranges(family.at("normal_force"), contacts);
  expect_ranges(family.at("tangential_force"), contacts);
}

void expect_contact(const Json& contact) {
  EXPECT_EQ(list_keys(contact),
            (std::vector<std::string>{"name", "status", "gap", "gap_rate", "slip", "p", "b"}));
  EXPECT_TRUE(contact.at("name").is_string());
  EXPECT_THAT(contact.at("status").get<std::string>(),
              AnyOf("closed", "open", "colliding", "inactive"));
  for (const char* key : {"gap", "gap_rate", "slip"})
    EXPECT_TRUE(contact.at(key).is_number()) << key;
  EXPECT_EQ(contact.at("p").is_null(), contact.at("b").is_null());
  EXPECT_TRUE(contact.at("p").is_null() || contact.at("p").is_number());
}

TEST_F(ClassifyCliTest, JsonHasTheKeysOfTheInterface) {
  for (const std::string& model : builtin_names()) {
    SCOPED_TRACE(model);
    const Json json = classify(model);
    EXPECT_EQ(list_keys(json), (std::vector<std::string>{"model", "state", "class", "impact",
                                                         "solutions", "contacts", "P", "minors",
                                                         "p_matrix", "marginal", "check"}));
    EXPECT_EQ(json.at("model"), model);
    std::vector<std::string> coordinates = list_keys(json.at("state"));
    ASSERT_EQ(coordinates.size() % 2, 0U);
    const std::size_t n = coordinates.size() / 2;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(coordinates[n + i], coordinates[i] + "_dot");
    coordinates.resize(n);
    for (const auto& [name, value] : json.at("state").items())
      EXPECT_TRUE(value.is_number()) << name;
    const std::string contact_class = json.at("class");
    EXPECT_THAT(contact_class, AnyOf("consistent", "indeterminate", "inconsistent"));
    ASSERT_TRUE(json.at("solutions").is_array());
    EXPECT_EQ(json.at("solutions").empty(), contact_class == "inconsistent");
    for (const Json& solution : json.at("solutions")) {
      expect_solution(solution, json.at("contacts").size(), coordinates);
    }
    ASSERT_TRUE(json.at("contacts").is_array());
    for (const Json& contact : json.at("contacts")) expect_contact(contact);
    EXPECT_TRUE(json.at("p_matrix").is_null() || json.at("p_matrix").is_boolean());
    ASSERT_TRUE(json.at("marginal").is_array());
    for (const Json& item : json.at("marginal")) EXPECT_TRUE(item.is_string());
  }
  EXPECT_THAT(list_files(), IsEmpty()) << "--json alone writes nothing";
}

TEST_F(ClassifyCliTest, TextNamesClassContactsAndFile) {
  for (const std::string& model : builtin_names()) {
    SCOPED_TRACE(model);
    const std::string out = answer({"classify", model});
    EXPECT_THAT(out, StartsWith(model + ": "));
    const Json json =
        parse_json(read_file(directory() / "results" / (model + "-classify") / "classify.json"));
    EXPECT_THAT(out, HasSubstr("\n" + json.at("class").get<std::string>() + ": "));
    for (const Json& contact : json.at("contacts")) {
      EXPECT_THAT(out, HasSubstr("\n" + contact.at("name").get<std::string>() + " "));
    }
    for (const Json& solution : json.at("solutions")) {
      EXPECT_THAT(out, HasSubstr("\n" + solution.at("modes").get<std::string>()));
    }
    EXPECT_THAT(out, EndsWith("\nwritten: results/" + model + "-classify/classify.json\n"));
  }
}

/// 1/3 and 32 deg have no short decimal: what is printed reads back to the same double.
TEST_F(ClassifyCliTest, NumbersAreInFullPrecision) {
  const Json json = classify("two-link-rail", {"theta1=32*deg", "theta1_dot=1/3"});
  EXPECT_EQ(json.at("state").at("theta1").get<double>(), 32 * (std::numbers::pi / 180));
  EXPECT_EQ(json.at("state").at("theta1_dot").get<double>(), 1.0 / 3.0);
  EXPECT_THAT(answer({"classify", "two-link-rail", "--json", "--set", "theta1_dot=1/3"}),
              HasSubstr("\"theta1_dot\": 0.3333333333333333,"));
  const Json block = classify("sliding-block", {"mu=1/3", "g=0.1"});
  EXPECT_EQ(block.at("solutions").at(0).at("tangential_force").at(0).get<double>(),
            -(1.0 / 3.0) * 0.1);
}

/// The block of 1 kg slides at v0 > 0: f_n = g, f_t = -mu g, x'' = -mu g; p = 1/m, b = -g.
TEST_F(ClassifyCliTest, SlidingBlock) {
  const Json json = classify("sliding-block");
  EXPECT_EQ(json.at("class"), "consistent");
  EXPECT_THAT(list_words(json), ElementsAre("P"));
  const Json& solution = json.at("solutions").at(0);
  EXPECT_NEAR(solution.at("normal_force").at(0).get<double>(), 9.81, 1e-14);
  EXPECT_NEAR(solution.at("tangential_force").at(0).get<double>(), -4.905, 1e-14);
  EXPECT_NEAR(solution.at("acceleration").at("x").get<double>(), -4.905, 1e-14);
  EXPECT_EQ(json.at("contacts").at(0).at("p").get<double>(), 1.0);
  EXPECT_EQ(json.at("contacts").at(0).at("b").get<double>(), -9.81);
  EXPECT_EQ(json.at("contacts").at(0).at("slip").get<double>(), 3.0);
  EXPECT_EQ(json.at("p_matrix"), true);
}

/// At rest nothing slides: p, b and p_matrix are null.
TEST_F(ClassifyCliTest, AtRest) {
  const Json json = classify("sliding-block", {"v0=0"});
  EXPECT_THAT(list_words(json), ElementsAre("S"));
  EXPECT_TRUE(json.at("contacts").at(0).at("p").is_null());
  EXPECT_TRUE(json.at("contacts").at(0).at("b").is_null());
  EXPECT_TRUE(json.at("p_matrix").is_null());
}

/// A ball above the ground is free, and touching it with y' < 0 it collides.
TEST_F(ClassifyCliTest, Status) {
  EXPECT_EQ(classify("bouncing-ball").at("contacts").at(0).at("status"), "open");
  EXPECT_EQ(classify("bouncing-ball", {"y=0"}).at("contacts").at(0).at("status"), "closed");
  EXPECT_EQ(classify("bouncing-ball", {"y=0", "y_dot=1"}).at("contacts").at(0).at("status"),
            "open");
  EXPECT_EQ(classify("bouncing-ball", {"y=0", "y_dot=-1"}).at("contacts").at(0).at("status"),
            "colliding");
  EXPECT_EQ(classify("compass-biped").at("contacts").at(1).at("status"), "inactive");
}

/// What collides is called so, whatever the other contacts do.
TEST_F(ClassifyCliTest, ACollidingStateIsCalledSo) {
  const Json json = classify("bouncing-ball", {"y=0", "y_dot=-1"});
  EXPECT_EQ(json.at("class"), "colliding");
  EXPECT_EQ(json.at("impact").at("contacts"), Json::array({"ball"}));
  EXPECT_EQ(json.at("impact").at("see"), "slipstick impact bouncing-ball");
  EXPECT_THAT(answer({"classify", "bouncing-ball", "--set", "y=0", "--set", "y_dot=-1"}),
              HasSubstr("colliding: ball is closing at its surface"));
  EXPECT_EQ(classify("bouncing-ball", {"y=0"}).at("impact"), nullptr);
}

/// A body that slides on two contacts: P has p of each on its diagonal, and its minors are those
/// entries and the determinant.
TEST_F(ClassifyCliTest, MatrixOfTheSlidingContacts) {
  const Json json = classify("two-contact-body", {"x_dot=1"});
  const Json& P = json.at("P");
  ASSERT_EQ(P.size(), 2U);
  const auto entry = [&](int i, int j) { return P.at(i).at(j).get<double>(); };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(entry(i, i), json.at("contacts").at(i).at("p").get<double>());
    EXPECT_NEAR(json.at("minors").at(i).at("value").get<double>(), entry(i, i), 1e-14);
  }
  ASSERT_EQ(json.at("minors").size(), 3U);
  EXPECT_NEAR(json.at("minors").at(2).at("value").get<double>(),
              entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0), 1e-12);
  EXPECT_EQ(json.at("minors").at(2).at("contacts").size(), 2U);
  EXPECT_EQ(classify("bouncing-ball").at("P"), nullptr);
}

/// [Zhao2008] Table 2: the contact forces at rest on the moving rail exist for theta1 = -15, 7, 15
/// and 21 degrees and do not for 25, 30.5 and 32 degrees.
TEST_F(ClassifyCliTest, TableTwoOfZhao2008) {
  for (const char* theta1 : {"-15", "7", "15", "21"}) {
    const Json json = classify("two-link-rail", {std::string("theta1=") + theta1 + "*deg"});
    EXPECT_EQ(json.at("class"), "consistent") << theta1;
    EXPECT_EQ(json.at("solutions").size(), 1U) << theta1;
  }
  for (const char* theta1 : {"25", "30.5", "32"}) {
    const Json json = classify("two-link-rail", {std::string("theta1=") + theta1 + "*deg"});
    EXPECT_EQ(json.at("class"), "inconsistent") << theta1;
    EXPECT_TRUE(json.at("solutions").empty()) << theta1;
    EXPECT_LT(json.at("contacts").at(0).at("p").get<double>(), 0.0) << theta1;
    EXPECT_EQ(json.at("p_matrix"), false) << theta1;
  }
}

/// A uniform rod of length 2 and mass 1 (gyration radius 1/sqrt(3)) slides on its tip to the right,
/// inclined by phi = 1.1 to the ground with its centre behind the tip, at (-cos, sin)(phi) from it.
/// The force (-mu f, f) at the tip turns the rod by 3 (cos - mu sin) f (counter-clockwise, 1/rho^2
/// = 3), so the tip's normal acceleration is
///   a_n = f - g + 3 cos (cos - mu sin) f + omega^2 sin = p f + b,
///   p = 1 + 3 cos (cos - mu sin) = -0.565692,  b = omega^2 sin - g.
/// At omega = 0, b = -1: no f >= 0. At omega = 2, b = 2.564829: f = 0, or f = -b/p = 4.53397.
TEST_F(ClassifyCliTest, SlidingRodIsInconsistentThenIndeterminate) {
  std::vector<std::string> settings{
      "m=1", "length=2", "rho=1/sqrt(3)", "g=1", "mu=1.8", "theta=-(pi/2 - 1.1)", "slip=2"};
  const double c = std::cos(1.1);
  const double s = std::sin(1.1);
  const double p = 1 + 3 * c * (c - 1.8 * s);
  const double b = 4 * s - 1;
  const Json still = classify("sliding-rod", settings);
  EXPECT_EQ(still.at("class"), "inconsistent");
  EXPECT_TRUE(still.at("solutions").empty());
  EXPECT_NEAR(still.at("contacts").at(0).at("p").get<double>(), p, 1e-14);
  EXPECT_NEAR(still.at("contacts").at(0).at("b").get<double>(), -1.0, 1e-14);
  EXPECT_NEAR(still.at("contacts").at(0).at("slip").get<double>(), 2.0, 1e-14);

  settings.emplace_back("theta_dot=2");
  const Json turning = classify("sliding-rod", settings);
  EXPECT_EQ(turning.at("class"), "indeterminate");
  ASSERT_THAT(list_words(turning), ElementsAre("FF", "PF"));
  const Json& slides = turning.at("solutions").at(1);
  const double f_n = slides.at("normal_force").at(0).get<double>();
  EXPECT_NEAR(f_n, 4.534, 5e-4);
  EXPECT_NEAR(f_n, -b / p, 1e-12);
  EXPECT_NEAR(slides.at("tangential_force").at(0).get<double>(), -1.8 * f_n, 1e-12);
  EXPECT_NEAR(turning.at("contacts").at(0).at("b").get<double>(), b, 1e-14);
  EXPECT_NEAR(turning.at("contacts").at(0).at("slip").get<double>(), 2.0, 1e-14);
  EXPECT_EQ(turning.at("solutions").at(0).at("normal_force").at(0).get<double>(), 0.0);

  std::vector<std::string> args{"classify", "sliding-rod"};
  for (const std::string& setting : settings) args.insert(args.end(), {"--set", setting});
  const std::string out = answer(args);
  EXPECT_THAT(out, HasSubstr("indeterminate: 2 continuations satisfy the laws"));
  EXPECT_THAT(out, HasSubstr("\nPF\n  tip        f_n = 4.5339"));
}

/// Two feet at rest with friction: four force components, three equations, so a line of forces.
TEST_F(ClassifyCliTest, FamilyOfForces) {
  const Json solution = classify("two-contact-body").at("solutions").at(0);
  EXPECT_EQ(solution.at("modes"), "SS");
  const Json& family = solution.at("family");
  EXPECT_EQ(family.at("dimension"), 1);
  EXPECT_FALSE(family.contains("acceleration")) << "the motion is unique";
  for (std::size_t i = 0; i < 2; ++i) {
    const double force = solution.at("tangential_force").at(i);
    EXPECT_LT(family.at("tangential_force").at(i).at(0).get<double>(), force);
    EXPECT_GT(family.at("tangential_force").at(i).at(1).get<double>(), force);
  }
}

/// A point held between two opposite bilateral slides: one may pull as hard as the other pushes, so
/// the ranges have no ends, and JSON has no infinity.
TEST_F(ClassifyCliTest, InfiniteRangeIsNull) {
  write("slot.toml", R"(
[[bodies]]
name = "pin"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "ceiling"
normal = [0, -1]
[[contacts]]
name = "below"
body = "pin"
surface = "floor"
bilateral = true
[[contacts]]
name = "above"
body = "pin"
surface = "ceiling"
bilateral = true
)");
  const Json json = classify("slot.toml");
  EXPECT_EQ(json.at("class"), "consistent");
  ASSERT_EQ(json.at("solutions").size(), 1U);
  const Json& family = json.at("solutions").at(0).at("family");
  EXPECT_EQ(family.at("dimension"), 1);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(family.at("normal_force").at(i).at(0).is_null());
    EXPECT_TRUE(family.at("normal_force").at(i).at(1).is_null());
  }
}

TEST_F(ClassifyCliTest, ModelFileByPath) {
  write("rod.toml", answer({"models", "sliding-rod", "--source"}));
  Json file = classify("rod.toml");
  EXPECT_EQ(file.at("model"), "rod");
  file["model"] = "sliding-rod";
  EXPECT_EQ(file, classify("sliding-rod"));
  EXPECT_THAT(answer({"classify", "./rod.toml"}),
              EndsWith("written: results/rod-classify/classify.json\n"));
}

TEST_F(ClassifyCliTest, SameBytesEachTime) {
  for (const std::string& model : builtin_names()) {
    EXPECT_EQ(answer({"classify", model, "--json"}), answer({"classify", model, "--json"}));
    EXPECT_EQ(answer({"classify", model}), answer({"classify", model}));
  }
}

TEST_F(ClassifyCliTest, FileHoldsTheDocument) {
  const std::string json = answer({"classify", "klein-bar", "--json"});
  EXPECT_THAT(list_files(), IsEmpty());
  (void)answer({"classify", "klein-bar"});
  EXPECT_THAT(list_files(), ElementsAre("results", "results/klein-bar-classify",
                                        "results/klein-bar-classify/classify.json"));
  EXPECT_EQ(read_file(directory() / "results/klein-bar-classify/classify.json"), json);
}

TEST_F(ClassifyCliTest, OutWithJsonWritesOneFile) {
  const std::string json = answer({"classify", "klein-bar", "--json", "--out", "a/b"});
  EXPECT_THAT(list_files(), ElementsAre("a", "a/b", "a/b/classify.json"));
  EXPECT_EQ(read_file(directory() / "a/b/classify.json"), json);
}

TEST_F(ClassifyCliTest, OutWithoutJson) {
  EXPECT_THAT(answer({"classify", "klein-bar", "--out", "here"}),
              EndsWith("\nwritten: here/classify.json\n"));
  EXPECT_THAT(list_files(), ElementsAre("here", "here/classify.json"));
  EXPECT_EQ(read_file(directory() / "here/classify.json"),
            answer({"classify", "klein-bar", "--json"}));
}

TEST_F(ClassifyCliTest, FileIsReplaced) {
  (void)answer({"classify", "sliding-block", "--out", "o"});
  (void)answer({"classify", "sliding-block", "--out", "o", "--set", "mu=0.1"});
  EXPECT_THAT(list_files(), ElementsAre("o", "o/classify.json"));
  EXPECT_EQ(read_file(directory() / "o/classify.json"),
            answer({"classify", "sliding-block", "--json", "--set", "mu=0.1"}));
}

/// A file stands where the directory should be: this fails for root too.
TEST_F(ClassifyCliTest, UnwritablePlace) {
  write("taken", "not a directory");
  for (const char* place : {"taken", "taken/deeper"}) {
    for (const bool json : {false, true}) {
      std::vector<std::string> args{"classify", "sliding-block", "--out", place};
      if (json) args.emplace_back("--json");
      EXPECT_THAT(refuse(args),
                  StartsWith("slipstick: " + std::string(place) +
                             ": expected a place to write to, got an error: Not a directory"));
    }
  }
  EXPECT_THAT(list_files(), ElementsAre("taken"));
  EXPECT_EQ(read_file(directory() / "taken"), "not a directory");
}

/// File names end at 255 bytes (NAME_MAX): the last directory cannot be made, and those made on the
/// way to it go again, but not the one that was there.
TEST_F(ClassifyCliTest, NothingIsLeftOfAPlaceThatCannotBeMade) {
  fs::create_directories(directory() / "old");
  const std::string too_long(300, 'd');
  for (const std::string start : {"new/deep/", "old/new/", "./new/../new/", ""}) {
    EXPECT_THAT(refuse({"classify", "sliding-block", "--out", start + too_long}),
                HasSubstr("expected a place to write to"));
    EXPECT_THAT(list_files(), ElementsAre("old"));
  }
}

TEST_F(ClassifyCliTest, DirectoryWhereTheFileShouldBe) {
  fs::create_directories(directory() / "o/classify.json");
  EXPECT_THAT(refuse({"classify", "sliding-block", "--out", "o"}),
              HasSubstr("expected a place to write to"));
  EXPECT_THAT(list_files(), ElementsAre("o", "o/classify.json"));
}

/// A model's name is used in a path; it must not lead out of `results`.
TEST_F(ClassifyCliTest, NameDoesNotLeadOutOfResults) {
  const std::string text = answer({"models", "sliding-block", "--source"});
  fs::create_directory(directory() / "work");
  write("work/a.toml", "name = \"../../out\"\n" + text);
  (void)run_program(SLIPSTICK_CLI, {"classify", "a.toml"}, directory() / "work");
  EXPECT_FALSE(fs::exists(directory() / "out-classify"));
  for (const std::string& file : list_files()) EXPECT_THAT(file, StartsWith("work"));
}

TEST_F(ClassifyCliTest, UnknownModel) {
  EXPECT_EQ(
      refuse({"classify", "slidng-rod"}),
      "slipstick: slidng-rod: expected a built-in model or a model file, got neither; did you mean "
      "'sliding-rod'?");
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(ClassifyCliTest, BadSettings) {
  const auto message = [&](const char* setting) {
    return refuse({"classify", "two-link-rail", "--set", setting});
  };
  EXPECT_EQ(
      message("theta3=1"),
      "slipstick: --set theta3=1: expected a parameter, coordinate or rate of this model, got "
      "'theta3'; did you mean 'theta1'?");
  EXPECT_THAT(message("theta1"), StartsWith("slipstick: --set theta1: expected NAME=EXPR"));
  EXPECT_THAT(message("=1"), StartsWith("slipstick: --set =1: expected NAME=EXPR"));
  EXPECT_THAT(message("mu="), HasSubstr("expected an expression, got an empty text"));
  EXPECT_THAT(message("mu=1/0"), HasSubstr("expected a finite number, got infinity from '1/0'"));
  EXPECT_THAT(message("mu=1=2"), HasSubstr("got an assignment"));
  EXPECT_THAT(message("mu=2*thta1"), HasSubstr("got 'thta1'; did you mean 'theta1'?"));
  EXPECT_THAT(message("H=0.5"), HasSubstr("expected that contact 'tip' can be closed"));
  EXPECT_THAT(refuse({"classify", "two-link-rail", "--set"}), HasSubstr("--set"));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(ClassifyCliTest, NewlineInASettingIsStillOneSentence) {
  EXPECT_THAT(refuse({"classify", "two-link-rail", "--set", "mu=1\n2"}),
              HasSubstr("expected an expression"));
}

TEST_F(ClassifyCliTest, SettingsDoNotSwallowTheModel) {
  EXPECT_EQ(answer({"classify", "--set", "mu=0.1", "sliding-block", "--json"}),
            answer({"classify", "sliding-block", "--json", "--set", "mu=0.1"}));
}

TEST_F(ClassifyCliTest, BadFiles) {
  write("empty.toml", "");
  EXPECT_EQ(refuse({"classify", "empty.toml"}),
            "slipstick: empty.toml: expected a model, got an empty file");
  write("bad.toml", "title = \"x\"\nhello\n");
  EXPECT_THAT(refuse({"classify", "bad.toml"}), StartsWith("slipstick: bad.toml:2: expected TOML"));
  EXPECT_EQ(refuse({"classify", "."}), "slipstick: .: expected a file, got a directory");
  EXPECT_THAT(refuse({"classify", "/dev/zero"}), HasSubstr("at most 1 MiB"));
}

TEST_F(ClassifyCliTest, FileNameTooLongForTheSystem) {
  EXPECT_THAT(refuse({"classify", std::string(300, 'a')}),
              HasSubstr("expected a built-in model or a model file"));
}

/// Quoted parts may hold any character, so the depth of a key cannot be counted without parsing.
TEST_F(ClassifyCliTest, DeepQuotedKey) {
  std::string key = "','";
  for (int i = 1; i < 200000; ++i) key += ".','";
  for (const std::string& text : {"[" + key + "]\n", key + " = 1\n"}) {
    write("deep.toml", text);
    EXPECT_THAT(refuse({"classify", "deep.toml"}), StartsWith("slipstick: deep.toml:1: "));
  }
}

/// Nine coordinates that follow from eight contacts: more than the arrays per contact hold.
TEST_F(ClassifyCliTest, MoreClosingsThanContacts) {
  std::string bodies;
  std::string contacts = "[[surfaces]]\nname = \"ground\"\n";
  std::string initial = "[initial]\nx0 = { close = \"c0\" }\n";
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    bodies += "[[bodies]]\nname = \"b" + n + "\"\nmass = 1\ngyration = 0\n" +
              "joint = { type = \"translation\", coordinates = [\"x" + n + "\", \"y" + n +
              "\"] }\n";
    contacts +=
        "[[contacts]]\nname = \"c" + n + "\"\nbody = \"b" + n + "\"\nsurface = \"ground\"\n";
    initial += "y" + n + " = { close = \"c" + n + "\" }\n";
  }
  write("nine.toml", bodies + contacts + initial);
  EXPECT_THAT(refuse({"classify", "nine.toml"}), HasSubstr("'c0'"));
}

/// A file's name need not be UTF-8; the JSON must be.
TEST_F(ClassifyCliTest, FileNameThatIsNotUtf8) {
  write("\xff.toml", answer({"models", "sliding-block", "--source"}));
  const CliResult result = run({"classify", "\xff.toml", "--json"});
  EXPECT_THAT(result.exit_code, AnyOf(0, 2)) << result.err;
  if (result.exit_code == 0) {
    EXPECT_TRUE(Json::accept(result.out));
  }
}

/// NaN and infinity are no answer.
TEST_F(ClassifyCliTest, StateThatOverflows) {
  const CliResult result = run({"classify", "sliding-block", "--json", "--set", "v0=1e308"});
  if (result.exit_code == 0) {
    EXPECT_THAT(list_words(parse_json(result.out)), ElementsAre("P")) << "as at any other speed";
    EXPECT_NEAR(parse_json(result.out).at("solutions").at(0).at("normal_force").at(0).get<double>(),
                9.81, 1e-12);
  } else {
    EXPECT_THAT(result.exit_code, AnyOf(2, 3)) << result.err;
  }
}

}  // namespace
}  // namespace slipstick::testkit
