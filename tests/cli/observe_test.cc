/// Observables, conditions and columns on the command line, in files and back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ObserveCliTest : public CliTest {
 protected:
  [[nodiscard]] Json simulate(std::vector<std::string> args) const {
    args.insert(args.begin(), "simulate");
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

/// Highest at e^2 h after the first impact, at (1 + e) sqrt(2 h/g).
TEST_F(ObserveCliTest, DocumentTableAndFiles) {
  const std::vector<std::string> args{"bouncing-ball", "--until",   "1",           "--observe",
                                      "high = y",      "--observe", "up = 2*y_dot"};
  const Json out = simulate(args);
  const Json& height = out.at("observables").at(0);
  EXPECT_EQ(height.at("name"), "high");
  EXPECT_EQ(height.at("expression"), "y");
  EXPECT_EQ(height.at("events").at(1).at("type"), "maximum");
  EXPECT_NEAR(height.at("events").at(1).at("time"), 1.8 * std::sqrt(2.0 / 9.81), 1e-12);
  EXPECT_NEAR(height.at("events").at(1).at("value"), 0.64, 1e-12);
  std::vector<std::string> with_files = args;
  with_files.insert(with_files.begin(), "simulate");
  with_files.insert(with_files.end(), {"--out", "here"});
  EXPECT_THAT(answer(with_files), HasSubstr("maximum            high             0.64"));
  EXPECT_THAT(read_file(directory() / "here/trajectory.csv"),
              StartsWith("t,y,y_dot,modes,gap_ball,slip_ball,force_n_ball,force_t_ball,"
                         "kinetic_energy,high,up\n"));
  EXPECT_EQ(parse_json(read_file(directory() / "here/simulate.json")), out);
  EXPECT_THAT(answer({"rerun", "here/simulate.h5"}), StartsWith("identical: "));
  const Json shown = parse_json(answer({"show", "here/simulate.h5", "--json"}));
  EXPECT_EQ(shown.at("observables"), out.at("observables"));
  EXPECT_EQ(shown.at("events"), out.at("events"));
  EXPECT_EQ(shown.at("options").at("observe"), Json::array({"high = y", "up = 2*y_dot"}));
  EXPECT_THAT(answer({"show", "here/simulate.h5"}), HasSubstr("--observe 'high = y'"));
  (void)answer({"show", "here/simulate.h5", "--report", "page.html"});
  EXPECT_THAT(read_file(directory() / "page.html"),
              HasSubstr("\"key\":\"high\",\"group\":\"observable\""));
}

TEST_F(ObserveCliTest, ModelFilesObserve) {
  const std::string text = answer({"models", "sliding-block", "--source"});
  write("block.toml", text + "\n[[observe]]\nname = \"way\"\nexpr = \"x/v0\"\nunit = \"s\"\n");
  const Json out = simulate({"block.toml", "--until", "0.1"});
  EXPECT_EQ(out.at("observables").at(0).at("unit"), "s");
  EXPECT_NEAR(out.at("observables").at(0).at("end"), 0.1 - 0.5 * 9.81 * 0.5 * 0.01 / 3.0, 1e-15);
  // Other verbs ignore it, but check it.
  EXPECT_THAT(answer({"classify", "block.toml"}), HasSubstr("consistent"));
  write("bad.toml", text + "\n[[observe]]\nname = \"way\"\nexpr = \"z\"\n");
  EXPECT_THAT(refuse({"classify", "bad.toml"}),
              AllOf(HasSubstr("bad.toml:"), HasSubstr("observe.way.expr"), HasSubstr("got 'z'")));
}

/// v0/(mu g) is when the block stops.
TEST_F(ObserveCliTest, UntilTakesExpressionsAndConditions) {
  EXPECT_NEAR(simulate({"sliding-block", "--until", "0.5*v0/(mu*g)"}).at("end").at("time"),
              0.5 * 3.0 / (0.5 * 9.81), 1e-15);
  const std::vector<std::string> args{"sliding-block", "--until", "x > 0.5", "--max-time", "2*v0"};
  const Json out = simulate(args);
  EXPECT_EQ(out.at("end").at("reason"), "condition");
  EXPECT_NEAR(out.at("state").at("x"), 0.5, 1e-15);
  (void)answer({"simulate", "sliding-block", "--until", "x > 0.5", "--out", "here"});
  EXPECT_THAT(answer({"rerun", "here/simulate.h5"}), StartsWith("identical: "));
  EXPECT_THAT(answer({"show", "here/simulate.h5"}), HasSubstr("--until 'x > 0.5' --max-time 10"));
  EXPECT_EQ(
      parse_json(answer({"show", "here/simulate.h5", "--json"})).at("options").at("condition"),
      "x > 0.5");
  const Json never = simulate({"sliding-block", "--until", "x > 100"});
  EXPECT_EQ(never.at("end").at("reason"), "rest");
  EXPECT_EQ(never.at("end").at("code"), "never-true");
  EXPECT_THAT(answer({"simulate", "sliding-block", "--until", "x > 100"}),
              HasSubstr("the condition 'x > 100' was never true"));
}

TEST_F(ObserveCliTest, ColumnsOnRequest) {
  (void)answer({"simulate", "sliding-block", "--until", "0.2", "--sample", "0.1", "--columns",
                "p,b,energy,work", "--out", "here"});
  const std::string csv = read_file(directory() / "here/trajectory.csv");
  EXPECT_THAT(csv,
              StartsWith("t,x,y,x_dot,y_dot,modes,gap_block,slip_block,force_n_block,"
                         "force_t_block,kinetic_energy,p_block,b_block,potential_energy,energy,"
                         "work_loads,work_surfaces,work_impacts,work_friction,work_damping\n"));
  for (const char* check : {"", "--no-check"}) {
    std::vector<std::string> args{"sliding-block", "--until",   "0.2",  "--sample",
                                  "0.1",           "--columns", "work", "--trajectory"};
    if (*check != '\0') args.emplace_back(check);
    const Json rows = simulate(args).at("trajectory");
    const double v = 3.0 - 0.5 * 9.81 * 0.2;
    EXPECT_NEAR(rows.at("work_friction").at(2), 0.5 * v * v - 4.5, 1e-13);
  }
}

/// The balance that closes is printed last, before the check.
TEST_F(ObserveCliTest, BalanceIsTold) {
  EXPECT_THAT(answer({"simulate", "sliding-block"}),
              AllOf(HasSubstr("kinetic before [J] kinetic after [J]"),
                    HasSubstr("balance [J]: kinetic -4.5, potential +0; work of loads +0, surfaces "
                              "+0, impacts +0, friction -4.5, damping +0; error ")));
  const Json event = simulate({"two-contact-body", "--set", "z=0.01"}).at("events").at(0);
  for (const char* key : {"balance", "dissipated", "guards", "state_before", "p", "b"}) {
    EXPECT_TRUE(event.contains(key)) << key;
  }
  EXPECT_EQ(event.at("guards").at(0).at("type"), "gap");
}

/// Alternatives are told by what moves, each in words of its own.
TEST_F(ObserveCliTest, AlternativesAreTold) {
  const std::vector<std::string> start{"sliding-rod", "--set", "theta=-15*deg",           "--set",
                                       "theta_dot=6", "--set", "x_dot=100+6*cos(15*deg)", "--until",
                                       "0.01"};
  const Json event = simulate(start).at("events").at(0);
  EXPECT_EQ(event.at("taken_text"), "tip lifts off");
  const Json& texts = event.at("alternatives_text");
  ASSERT_EQ(texts.size(), event.at("alternatives").size());
  EXPECT_THAT(texts.at(0).get<std::string>(),
              StartsWith("tip keeps sliding to the right with f_n = "));
  EXPECT_EQ(texts.at(1), "an impact without collision at tip");
  std::vector<std::string> args = start;
  args.insert(args.begin(), "simulate");
  EXPECT_THAT(answer(args), HasSubstr("chosen by --on-indeterminate lift-off: tip lifts off\n"));
}

TEST_F(ObserveCliTest, BadInput) {
  const auto observe = [&](const std::string& text) {
    return refuse({"simulate", "sliding-block", "--observe", text});
  };
  for (const char* jumps : {"x > 1", "x > 1 ? 1 : 0", "sign(x)", "rint(x)", "atan2(x, 1)"}) {
    EXPECT_THAT(observe(std::string("h = ") + jumps), HasSubstr("changes steadily"));
  }
  EXPECT_THAT(observe("h = x_dott"), HasSubstr("--observe h: expected known names in 'x_dott', got "
                                               "'x_dott'; did you mean 'x_dot'?"));
  EXPECT_THAT(observe("h = 1/0"), HasSubstr("--observe h: expected a finite number, got inf"));
  EXPECT_THAT(observe("x = y"), HasSubstr("got 'x'"));
  EXPECT_THAT(observe("mu = y"), HasSubstr("got 'mu'"));
  EXPECT_THAT(observe("sin = y"), HasSubstr("got 'sin'"));
  EXPECT_THAT(observe("force_n_block = y"), HasSubstr("got 'force_n_block'"));
  EXPECT_THAT(observe("x"), HasSubstr("expected NAME = EXPR, got 'x'"));
  EXPECT_THAT(observe("= x"), HasSubstr("expected NAME = EXPR"));
  EXPECT_THAT(observe("h = (x"), HasSubstr("--observe h"));
  const auto until = [&](const std::string& text) {
    return refuse({"simulate", "sliding-block", "--until", text});
  };
  EXPECT_THAT(until("x"), HasSubstr("expected a number, or a condition with a comparison"));
  EXPECT_THAT(until("x && y"), HasSubstr("a comparison such as 'x > 2', got 'x && y'"));
  EXPECT_THAT(until("x == 1"), HasSubstr("expected a condition with <, <=, > or >="));
  EXPECT_THAT(until("xx > 1"), HasSubstr("got 'xx'"));
  EXPECT_THAT(until("1/0"), HasSubstr("expected a time after the start at 0 s, got inf"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--max-time", "3"}),
              HasSubstr("--max-time: expected a condition in --until beside it"));
  EXPECT_THAT(
      refuse({"simulate", "sliding-block", "--columns", "p,q"}),
      HasSubstr("--columns: expected p, b, energy, work, centres or accelerations, got 'q'"));
}

/// A time beyond any motion.
TEST_F(ObserveCliTest, LateTimes) {
  const Json out = simulate({"sliding-block", "--until", "t > 1e300", "--max-time", "1e300"});
  EXPECT_EQ(out.at("end").at("reason"), "rest");
  EXPECT_THAT(answer({"simulate", "bouncing-ball", "--until", "y < 0 || t >= 0.2"}),
              AllOf(HasSubstr("end: condition at 0.2 s"), Not(HasSubstr("never"))));
}

}  // namespace
}  // namespace slipstick::testkit
