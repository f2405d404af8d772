/// Figures of papers: files, curves, planes, and what cannot be drawn.

#include "slipstick/io/page/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "slipstick/errors.h"
#include "slipstick/io/claims.h"
#include "unit/io/model_text.h"
#include "unit/io/refuse_paper.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kFigureFile = R"toml(paper = "009"
key = "Nobody2000"
title = "On nothing"
about = "A paper that does not exist."

[[figures]]
where = "Fig. 1"
shows = "twice the time"
x = { label = "time", unit = "s", from = 0, to = 2 }
y = { label = "twice", log = true }
printed = [{ text = "a time", x = 1 }, { text = "a point", x = 1, y = 2.5 }]
marks = [{ text = "assumed", y = 3 }]

[[figures.curves]]
name = "twice"
run = "simulate a"
from = { t = "/t", k = "/two" }
x = "t"
y = "k*t"
style = "dashed"
)toml";

Figure read_one(const std::string& text) { return parse_paper("f.toml", text).figures.at(0); }

std::string with(const std::string& from, const std::string& to) {
  return testkit::replace(kFigureFile, from, to);
}

Json draw_curve(const std::string& text, const Json& document) {
  return draw(read_one(text), {{"simulate a", {document, ""}}}).document["curves"][0];
}

TEST(Figures, ACurveIsExpressionsOverLists) {
  const Figure figure = read_one(kFigureFile);
  EXPECT_THAT(list_runs(figure), ElementsAre("simulate a"));
  const DrawnFigure drawn =
      draw(figure, {{"simulate a", {Json{{"t", {0.0, 1.0, nullptr}}, {"two", 2.0}}, ""}}});
  EXPECT_FALSE(drawn.failed);
  const Json document = Json::parse(drawn.document.dump());
  EXPECT_EQ(document["x"],
            (Json{{"label", "time"}, {"unit", "s"}, {"log", false}, {"from", 0.0}, {"to", 2.0}}));
  EXPECT_EQ(document["y"], (Json{{"label", "twice"}, {"unit", ""}, {"log", true}}));
  const Json& curve = document["curves"][0];
  EXPECT_EQ(curve["x"], (Json{0.0, 1.0, nullptr}));
  EXPECT_EQ(curve["y"], (Json{0.0, 2.0, nullptr}));
  EXPECT_EQ(curve["style"], "dashed");
  EXPECT_EQ(curve["runs"], Json{"slipstick simulate a"});
  EXPECT_EQ(document["printed"][0], (Json{{"text", "a time"}, {"x", 1.0}}));
  EXPECT_EQ(document["printed"][1]["y"], 2.5);
  EXPECT_EQ(document["marks"], (Json::array({Json{{"text", "assumed"}, {"y", 3.0}}})));
}

TEST(Figures, EntriesOfListsAndListsOfLists) {
  const Json entries{{"list", {{{"t", 1.0}}, {{"t", 3.0}}}}, {"two", 2.0}};
  EXPECT_EQ(draw_curve(with("\"/t\"", "\"/list/*/t\""), entries)["y"], (Json{2.0, 6.0}));
  const Json lines{{"t", {{1.0, 2.0}, {5.0}}}, {"two", 2.0}};
  const Json drawn = Json::parse(draw_curve(kFigureFile, lines).dump());
  EXPECT_EQ(drawn["y"], (Json{2.0, 4.0, nullptr, 10.0, nullptr}));
}

TEST(Figures, PicturesAreLinesOfTheirOwn) {
  std::string text = with("x = \"t\"", "x = [\"t\", \"t + 1\"]");
  text = testkit::replace(text, "y = \"k*t\"", "y = [\"0\", \"k\"]");
  const Json curve = draw_curve(text, Json{{"t", {0.0, 10.0}}, {"two", 2.0}});
  EXPECT_EQ(curve["x"], (Json{0.0, 1.0, nullptr, 10.0, 11.0, nullptr}));
  EXPECT_EQ(curve["y"], (Json{0.0, 2.0, nullptr, 0.0, 2.0, nullptr}));
}

TEST(Figures, LinesOfThePaperNeedNoCall) {
  const std::string text =
      with("run = \"simulate a\"\nfrom = { t = \"/t\", k = \"/two\" }\nx = \"t\"\ny = \"k*t\"",
           "x = [\"0\", \"1\"]\ny = [\"0\", \"tan(45*deg)\"]");
  const DrawnFigure drawn = draw(read_one(text), {});
  EXPECT_FALSE(drawn.failed);
  EXPECT_EQ(drawn.document["curves"][0]["x"], (Json{0.0, 1.0, nullptr}));
}

TEST(Figures, APlaneInThePapersUnits) {
  const std::string both =
      with("printed = [{",
           "map = { run = \"paradox b\", words = \"/regions\", borders = \"/boundaries\", x = "
           "\"-1000*x\" }\nprinted = [{");
  EXPECT_THROW((void)read_one(both), InputError);  // the axes are the plane's
  const std::string text =
      testkit::replace(testkit::replace(both, ", from = 0, to = 2", ""), ", log = true", "");
  const Json map{{"axes", {{{"from", 0.0}, {"to", 1.0}, {"count", 3}}, {{"values", {5.0, 6.0}}}}},
                 {"regions", {{1, 1, 2}, {1, 2, 2}}},
                 {"boundaries", {{{"what", "p"}, {"points", {{0.25, 5.5}}}}}}};
  const CallAnswers answers{{"simulate a", {Json{{"t", {0.0}}, {"two", 2.0}}, ""}},
                            {"paradox b", {map, ""}}};
  const Json drawn = draw(read_one(text), answers).document["map"];
  EXPECT_EQ(drawn["x"], (Json{0.0, -500.0, -1000.0}));
  EXPECT_EQ(drawn["y"], (Json{5.0, 6.0}));
  EXPECT_EQ(drawn["words"], map["regions"]);
  EXPECT_EQ(drawn["borders"][0]["points"][0], (Json{-250.0, 5.5}));
  const std::string other = testkit::replace(text, "\"/regions\"", "\"/axes\"");
  EXPECT_THAT(draw(read_one(other), answers).document["map"]["failure"].get<std::string>(),
              HasSubstr("expected 2 rows of 3 words at /axes"));
  const std::string twice =
      testkit::replace(text, "borders = ", "details = \"/regions\", borders = ");
  EXPECT_EQ(draw(read_one(twice), answers).document["map"]["words"][0],
            (Json{"1 1", "1 1", "2 2"}));
}

TEST(Figures, WhatCannotBeDrawnSaysWhy) {
  const Figure figure = read_one(kFigureFile);
  const auto failure = [&](const CallAnswer& answer) {
    const DrawnFigure drawn = draw(figure, {{"simulate a", answer}});
    EXPECT_TRUE(drawn.failed);
    return drawn.document["curves"][0]["failure"].get<std::string>();
  };
  EXPECT_THAT(failure({nullptr, "exit status 3: no"}), HasSubstr("simulate a: exit status 3: no"));
  EXPECT_THAT(failure({Json{{"two", 2.0}}, ""}), HasSubstr("expected /t in its document"));
  EXPECT_THAT(failure({Json{{"t", {1.0, 2.0}}, {"two", {1.0, 2.0, 3.0}}}, ""}),
              HasSubstr("expected 3 entries at /t"));
  EXPECT_THAT(failure({Json{{"t", {1.0, "late"}}, {"two", 2.0}}, ""}),
              HasSubstr("f.toml:14: figures.curves: expected numbers at /t, got \"late\""));
  EXPECT_THAT(failure({Json{{"t", std::vector<double>(200000, 1.0)}, {"two", 2.0}}, ""}),
              HasSubstr("at most 100000 entries"));
}

TEST(Figures, BadFiles) {
  const auto refuse = [](const std::string& from, const std::string& to) {
    return testkit::refuse_paper("f.toml", with(from, to));
  };
  EXPECT_THAT(refuse("where = \"Fig. 1\"\n", ""), HasSubstr("'where'"));
  EXPECT_THAT(refuse("label = \"time\", ", ""), HasSubstr("figures.x"));
  EXPECT_THAT(refuse("\"dashed\"", "\"dotted\""), HasSubstr("dotted"));
  EXPECT_THAT(refuse("\"k*t\"", "\"k*s\""), HasSubstr("'s'"));
  EXPECT_THAT(refuse("\"k*t\"", "[\"k\", \"t\"]"), HasSubstr("as many expressions"));
  EXPECT_THAT(refuse("\"a time\", x = 1", "\"a time\""), HasSubstr("`x`, `y` or both"));
  EXPECT_THAT(refuse("[[figures.curves]]", "[[figures.curve]]"), HasSubstr("curve"));
  EXPECT_THAT(refuse("{ t =", "{ \"t t\" ="), HasSubstr("expected a name of letters"));
  EXPECT_THAT(refuse("{ t =", "{ pi = \"/t\", t ="), HasSubstr("got 'pi'"));
  for (const char* place : {"/a~3b", "/t/*x", "99999999999999999999999:/t", ":/t", "t"}) {
    EXPECT_THAT(refuse("\"/t\"", "\"" + std::string(place) + "\""), HasSubstr("POINTER"));
  }
  EXPECT_THAT(refuse("run = \"simulate a\"\n", ""), HasSubstr("expected `run` beside `from`"));
  EXPECT_THAT(refuse("\"simulate a\"", "[]"), HasSubstr("expected a call"));
  EXPECT_THAT(refuse("from = 0, ", ""), HasSubstr("both `from` and `to`"));
  EXPECT_THAT(refuse("from = 0, to = 2", "from = 2, to = 2"), HasSubstr("rising range"));
  EXPECT_THAT(refuse("log = true", "log = true, from = 0, to = 1"), HasSubstr("above 0"));
  const std::string all(kFigureFile);
  EXPECT_THAT(refuse(all.substr(all.find("[[figures.curves]]")), ""),
              HasSubstr("`curves` or `map`"));
}

}  // namespace
}  // namespace slipstick
