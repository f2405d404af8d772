#include <fmt/format.h>

#include <memory>

#include "describe_verbs.h"
#include "shell.h"
#include "slipstick/io/model/builtin_models.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

std::string list_models() {
  std::string out;
  for (const BuiltinModel& model : builtin_models()) {
    out += (out.empty() ? "" : " ") + std::string(model.name);
  }
  return out;
}

template <class Items, class Describe>
std::string join(const Items& items, const char* separator, const Describe& describe) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : separator) + describe(item);
  return out;
}

std::string name_of(const VerbSummary& verb) { return verb.name; }
std::string name_of_option(const OptionSummary& option) { return option.name; }

std::string make_bash(const std::vector<VerbSummary>& verbs) {
  std::string cases;
  for (const VerbSummary& verb : verbs) {
    cases += fmt::format("    {}) options={} words={} ;;\n", verb.name,
                         quote_for_shell(join(verb.options, " ", name_of_option)),
                         verb.argument == "MODEL" ? quote_for_shell(list_models()) : "''");
  }
  return fmt::format(
      R"(# Completion of slipstick for bash: slipstick completion bash > /etc/bash_completion.d/slipstick
_slipstick() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} options= words=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W {} -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _slipstick slipstick
)",
      quote_for_shell(join(verbs, " ", name_of)), cases);
}

/// Escapes a text for zsh's _arguments and _describe.
std::string escape_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string make_zsh(const std::vector<VerbSummary>& verbs) {
  const std::string names = join(verbs, "\n    ", [](const VerbSummary& verb) {
    return quote_for_shell(verb.name + ":" + escape_zsh(verb.help));
  });
  std::string cases;
  for (const VerbSummary& verb : verbs) {
    cases += fmt::format("    {}) _arguments", verb.name);
    for (const OptionSummary& option : verb.options) {
      const std::string value =
          option.value.empty() ? "" : ":" + escape_zsh(option.value) + ":_files";
      cases += " \\\n      " + quote_for_shell(fmt::format("*{}[{}]{}", option.name,
                                                           escape_zsh(option.help), value));
    }
    if (verb.argument == "MODEL") {
      cases +=
          " \\\n      " +
          quote_for_shell(fmt::format(
              "1:model:_alternative \"models:model:({})\" \"files:file:_files\"", list_models()));
    } else {
      cases += " \\\n      '*:file:_files'";
    }
    cases += " ;;\n";
  }
  return fmt::format(
      R"(#compdef slipstick
# Completion of slipstick for zsh: slipstick completion zsh > DIR/_slipstick, with DIR in $fpath
_slipstick() {{
  local -a verbs=(
    {})
  if ((CURRENT == 2)); then
    _describe verb verbs
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
{}  esac
}}
_slipstick "$@"
)",
      names, cases);
}

std::string make_fish(const std::vector<VerbSummary>& verbs) {
  std::string out =
      "# Completion of slipstick for fish: slipstick completion fish > "
      "~/.config/fish/completions/slipstick.fish\n";
  for (const VerbSummary& verb : verbs) {
    const std::string here =
        fmt::format("complete -c slipstick -n '__fish_seen_subcommand_from {}'", verb.name);
    out += fmt::format("complete -c slipstick -f -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                       quote_for_shell(verb.help));
    for (const OptionSummary& option : verb.options) {
      out += fmt::format("{} -l {}{} -d {}\n", here, option.name.substr(2),
                         option.value.empty() ? "" : " -r", quote_for_shell(option.help));
    }
    if (verb.argument == "MODEL")
      out += fmt::format("{} -a {}\n", here, quote_for_shell(list_models()));
  }
  return out;
}

}  // namespace

void add_completion_verb(CLI::App& app, Action& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "a script that completes commands in a shell");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb->footer("Example:\n  slipstick completion bash");
  verb->callback([shell, &app, &run] {
    run = [shell, &app] {
      const std::vector<VerbSummary> verbs = describe_verbs(app);
      fmt::print("{}", *shell == "bash"  ? make_bash(verbs)
                       : *shell == "zsh" ? make_zsh(verbs)
                                         : make_fish(verbs));
      return kAnswered;
    };
  });
}

}  // namespace slipstick::cli
