#include <fmt/format.h>

#include <string_view>

#include "describe_verbs.h"
#include "slipstick/version.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

/// Text of a manual page: no line may start with a dot or a quote, and hyphens are minus signs.
std::string escape_roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '-' || c == '\\') out += '\\';
    out += c == '\\' ? 'e' : c;
  }
  return out;
}

std::string make_verb_section(const VerbSummary& verb) {
  const std::string argument =
      verb.argument.empty() ? "" : fmt::format(" \\fI{}\\fR", verb.argument);
  std::string out = fmt::format(".SS \"{}{} [OPTIONS]\"\n{}.\n", escape_roff(verb.name), argument,
                                escape_roff(verb.help));
  for (const OptionSummary& option : verb.options) {
    out += fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n{}\n", escape_roff(option.name),
                       escape_roff(option.value), escape_roff(option.help));
  }
  if (!verb.footer.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", escape_roff(verb.footer));
  return out;
}

std::string make_manual(const CLI::App& app) {
  std::string out = fmt::format(
      R"(.TH SLIPSTICK 1 "" "slipstick {}" "User commands"
.SH NAME
slipstick \- rigid mechanisms with dry friction, where ordinary simulators fail silently
.SH SYNOPSIS
\fBslipstick\fR \fIVERB\fR [\fIARGUMENTS\fR]
.SH DESCRIPTION
Says where the laws of motion of a planar mechanism with Coulomb friction have no contact force, several, or one that grows without bound, and follows the motion through such states.
A \fIMODEL\fR is a built\-in name, as \fBslipstick models\fR lists them, or a path to a model file.
Angles are in radians, units are SI.
.SH VERBS
)",
      kVersion);
  for (const VerbSummary& verb : describe_verbs(app)) out += make_verb_section(verb);
  return out +
         R"(.SH EXIT STATUS
.TP
0
answered, also where the answer is that no force exists
.TP
2
bad input: one sentence says what, where, and what was expected
.TP
3
the numerics failed: one sentence says what and where
.TP
1
anything else
)";
}

}  // namespace

void add_manual_verb(CLI::App& app, Action& run) {
  CLI::App* verb = app.add_subcommand("manual", "the manual page, for man");
  verb->footer("Example:\n  slipstick manual");
  verb->callback([&app, &run] {
    run = [&app] {
      fmt::print("{}", make_manual(app));
      return kAnswered;
    };
  });
}

}  // namespace slipstick::cli
