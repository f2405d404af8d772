/// Pages: --report and --open of every verb. What a browser does with them: viewer/tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class PageCliTest : public CliTest {
 protected:
  /// The document in a page.
  [[nodiscard]] Json read_document(const std::string& file) const {
    const std::string page = read_file(directory() / file);
    const std::string start = "id=\"document\">";
    const std::size_t from = page.find(start) + start.size();
    return parse_json(page.substr(from, page.find("</script>", from) - from));
  }
};

TEST_F(PageCliTest, EveryVerbThatAnswersHasOne) {
  const std::vector<std::vector<std::string>> commands{
      {"classify", "painleve-bar", "--set", "theta=1.2"},
      {"paradox", "two-link-rail", "--along", "theta1=-90*deg:90*deg"},
      {"paradox", "rimless-wheel", "--map", "theta=-0.3:0.3", "theta_dot=-1:1", "--grid", "11"},
      {"critical-friction", "rimless-wheel"},
      {"simulate", "sliding-block"},
      {"stability", "two-contact-body"},
      {"stability-map", "two-contact-body", "--over", "mu1=0.1:0.6:3"},
      {"outcomes", "sliding-block", "--over", "mu=0.1:0.9:3", "--until", "1"},
      {"gait", "compass-biped"},
      {"impact", "bouncing-ball", "--set", "height=0", "--set", "y_dot=-2"}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(::testing::PrintToString(command));
    command.insert(command.end(), {"--json", "--report", "page.html"});
    const Json result = parse_json(answer(command));
    const Json document = read_document("page.html");
    EXPECT_EQ(document["program"], "slipstick");
    EXPECT_EQ(document["page"], 1);
    EXPECT_EQ(document["verb"], command[0]);
    EXPECT_EQ(document["model"]["name"], command[1]);
    EXPECT_EQ(document["result"], result);
    EXPECT_THAT(document["scene"]["bodies"], Not(IsEmpty()));
    EXPECT_THAT(document["motion"]["runs"], SizeIs(1));
    EXPECT_THAT(list_files(), ElementsAre("page.html"));  // no results beside it
  }
}

TEST_F(PageCliTest, HasTheTrajectoryOnce) {
  const Json plain = parse_json(answer({"simulate", "sliding-block", "--json"}));
  const Json with = parse_json(
      answer({"simulate", "sliding-block", "--trajectory", "--json", "--report", "page.html"}));
  EXPECT_TRUE(with.contains("trajectory"));
  EXPECT_EQ(read_document("page.html")["result"], plain);
}

TEST_F(PageCliTest, TheCommandRepeatsTheResult) {
  (void)answer({"simulate", "painleve-bar", "--json", "--set", "slip=-2*3.5", "--on-jam", "branch",
                "--until=0.7", "--zod", "--report", "page.html"});
  EXPECT_EQ(
      read_document("page.html")["command"],
      "slipstick simulate painleve-bar --set 'slip=-2*3.5' --until 0.7 --on-jam branch --zod");
}

/// A shell gets the words of a result file unchanged, whatever they contain.
TEST_F(PageCliTest, TheCommandOfAFileIsQuoted) {
  const std::string name = "a b;$(touch evil)`id`\\'\".toml";
  write(name, answer({"models", "sliding-block", "--source"}));
  (void)answer({"simulate", name, "--set", "mu= .25 + (0)", "--until", "1", "--out", "out"});
  (void)answer({"show", "out/simulate.h5", "--report", "page.html"});
  const std::string command = read_document("page.html")["command"];
  ASSERT_THAT(command, StartsWith("slipstick simulate "));
  // The shell's own words, one per line.
  const CliResult words = run_program(
      "/bin/bash", {"-c", "printf '%s\n' " + command.substr(std::string("slipstick ").size())},
      directory());
  EXPECT_THAT(words.out, StartsWith("simulate\n" + name + "\n--set\nmu= .25 + (0)\n--until\n1\n"));
  EXPECT_THAT(list_files(), Not(Contains("evil")));
}

TEST_F(PageCliTest, TheCommandHasNoControlCharacters) {
  const std::string name = "a\x1b[201~\nb.toml";
  write(name, answer({"models", "sliding-block", "--source"}));
  (void)answer({"classify", name, "--report", "page.html", "--json"});
  EXPECT_EQ(read_document("page.html")["command"], R"(slipstick classify $'a\033[201~\012b.toml')");
}

TEST_F(PageCliTest, SimulateWritesOneWithItsFiles) {
  EXPECT_THAT(answer({"simulate", "sliding-block"}),
              HasSubstr("page:    results/sliding-block-simulate/simulate.html\n"));
  EXPECT_THAT(list_files(), Contains("results/sliding-block-simulate/simulate.html"));
}

/// At a jam the force is unbounded: no row has what the equations give at p = 0.
TEST_F(PageCliTest, AForceWithoutBoundIsNoNumber) {
  const Json json = parse_json(answer(
      {"simulate", "painleve-bar", "--json", "--trajectory", "--accelerations", "--until", "0.7"}));
  const double jam = json.at("events").at(0).at("time");
  ASSERT_EQ(json.at("events").at(0).at("type"), "jam");
  const Json& columns = json.at("trajectory");
  const Json& times = columns.at("t");
  int found = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool unbounded =
        std::abs(times[i].get<double>() - jam) <= 1e-12 * jam && columns.at("modes")[i] == "NF";
    EXPECT_EQ(columns.at("force_n_A")[i].is_null(), unbounded) << times[i];
    EXPECT_EQ(columns.at("theta_ddot")[i].is_null(), unbounded) << times[i];
    found += unbounded ? 1 : 0;
  }
  EXPECT_GE(found, 1);
}

TEST_F(PageCliTest, FromAResultFileAlone) {
  (void)answer({"simulate", "painleve-bar", "--on-jam", "branch", "--until", "1", "--out", "bar"});
  (void)answer({"show", "bar/simulate.h5", "--report", "again.html"});
  const Json first = read_document("bar/simulate.html");
  const Json again = read_document("again.html");
  EXPECT_EQ(again["verb"], "simulate");
  EXPECT_EQ(again["result"]["runs"], first["result"]["runs"]);
  EXPECT_EQ(again["scene"], first["scene"]);
  EXPECT_THAT(again["motion"]["runs"], SizeIs(first["motion"]["runs"].size()));
  EXPECT_THAT(again["command"].get<std::string>(), HasSubstr("--on-jam branch"));
}

TEST_F(PageCliTest, RefusesFilesThatAreNotWhole) {
  (void)answer({"simulate", "sliding-block", "--out", "block"});
  const std::string bytes = read_file(directory() / "block/simulate.h5");
  write("half.h5", bytes.substr(0, bytes.size() / 2));
  write("text.h5", "not ours");
  for (const char* file : {"half.h5", "text.h5", "none.h5", "block"}) {
    EXPECT_THAT(refuse({"show", file, "--report", "page.html"}), HasSubstr(file));
  }
  EXPECT_THAT(list_files(), Not(Contains("page.html")));
}

TEST_F(PageCliTest, NamesStayText) {
  write("evil.toml", R"toml(title = "</script><script>alert(1)</script>"
gravity = [0, -9.81]
[[bodies]]
name = "<b>"
point_masses = [{ mass = 1, at = [0, 0] }]
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "g"
[[contacts]]
name = "<img src=x>"
body = "<b>"
surface = "g"
)toml");
  (void)answer({"classify", "evil.toml", "--report", "page.html", "--json"});
  const std::string page = read_file(directory() / "page.html");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img"))));
  EXPECT_EQ(read_document("page.html")["model"]["title"], "</script><script>alert(1)</script>");
}

TEST_F(PageCliTest, BadPlaces) {
  write("file", "");
  EXPECT_THAT(refuse({"classify", "sliding-block", "--json", "--report", "file/page.html"}),
              HasSubstr("file/page.html"));
  EXPECT_THAT(refuse({"show", "x.h5", "--open"}), HasSubstr("--report"));
  EXPECT_THAT(list_files(), ElementsAre("file"));
}

/// Reported before the run, which would take very long.
TEST_F(PageCliTest, PlacesAreCheckedFirst) {
  write("file", "");
  std::filesystem::create_symlink("file", directory() / "link.html");
  ASSERT_EQ(run_program("/usr/bin/mkfifo", {"pipe.html"}, directory()).exit_code, 0);
  std::filesystem::create_directory(directory() / "place.html");
  const std::vector<std::string> before = list_files();
  const auto refuse_report = [&](const std::string& report) {
    return refuse({"simulate", "compass-biped", "--until", "1e9", "--max-events", "2000000000",
                   "--out", "out.html", "--report", report});
  };
  EXPECT_THAT(refuse_report("out.html/simulate.json"), HasSubstr("ends in .html, got '.json'"));
  EXPECT_THAT(refuse_report("out.html"), HasSubstr("expected a path other than that of --out"));
  EXPECT_THAT(refuse_report("link.html"), HasSubstr("got a link"));
  EXPECT_THAT(refuse_report("pipe.html"), HasSubstr("got a device or a pipe"));
  EXPECT_THAT(refuse_report("place.html"), HasSubstr("Is a directory"));
  EXPECT_THAT(refuse_report("file/page.html"), HasSubstr("Not a directory"));
  EXPECT_EQ(list_files(), before);
  // Also where results go by default.
  write("results", "");
  EXPECT_THAT(refuse({"simulate", "compass-biped", "--until", "1e9"}), HasSubstr("results"));
}

/// A browser is opened if there is one; otherwise a message says that there is none.
TEST_F(PageCliTest, Open) {
  std::filesystem::create_directory(directory() / "bin");
  write("bin/xdg-open", "#!/bin/sh\necho \"$1\" > opened\n");
  std::filesystem::permissions(directory() / "bin/xdg-open", std::filesystem::perms::all);
  const CliResult shown = run_program("/usr/bin/env",
                                      {"PATH=" + (directory() / "bin").string() + ":/usr/bin:/bin",
                                       SLIPSTICK_CLI, "classify", "sliding-block", "--open"},
                                      directory());
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(read_file(directory() / "opened"), "results/sliding-block-classify/classify.html\n");
  const CliResult alone = run_program(
      "/usr/bin/env",
      {"PATH=" + directory().string(), SLIPSTICK_CLI, "classify", "sliding-block", "--open"},
      directory());
  EXPECT_EQ(alone.exit_code, 0);
  // Also where no other file is written.
  EXPECT_EQ(run({"simulate", "bouncing-ball", "--until", "1", "--json", "--open"}).exit_code, 0);
  EXPECT_THAT(list_files(), Contains("results/bouncing-ball-simulate/simulate.html"));
  EXPECT_THAT(alone.err, HasSubstr("no browser"));
}

}  // namespace
}  // namespace slipstick::testkit
