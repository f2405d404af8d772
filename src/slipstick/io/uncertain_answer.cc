#include "slipstick/io/uncertain_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/json/outcomes_json.h"
#include "slipstick/io/refusal.h"

namespace slipstick {

std::vector<UncertainName> parse_all_uncertain(const LoadedModel& loaded, const std::string& option,
                                               const std::vector<std::string>& texts) {
  std::vector<UncertainName> out;
  for (const std::string& text : texts) {
    UncertainName value = parse_uncertain(loaded, option, text);
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const UncertainName& other) {
      return other.name == value.name;
    });
    if (is_known) {
      throw InputError(option + " " + text,
                       "expected each name once, got '" + value.name + "' twice");
    }
    out.push_back(std::move(value));
  }
  return out;
}

OutcomeShares find_uncertain(const LoadedModel& loaded, const UncertainAsk& ask) {
  UncertainQuestion question;
  std::vector<std::string> names;
  for (const UncertainName& value : ask.values) {
    names.push_back(value.name);
    question.values.push_back(value.distribution);
  }
  question.draws = ask.draws;
  question.keep_going = ask.keep_going;
  question.find = [&](std::span<const double> values) {
    return find_or_refuse(
        [&] { return ask.find(make_with_parameters(loaded, names, values), values); });
  };
  return find_shares(question);
}

void add_uncertain(const std::vector<UncertainName>& values, const OutcomeShares& found,
                   Json& document) {
  document["uncertain"] = Json::object();
  for (const UncertainName& value : values) document["uncertain"][value.name] = value.written;
  document["draws"] = found.draws;
  document["shares"] = found.complete ? make_shares(found) : Json(nullptr);
  document["numbers"] = found.numbers ? make_spread(*found.numbers) : Json(nullptr);
  for (const OutcomeShare& share : found.shares) {
    if (!share.why.empty()) document["why"][share.label] = share.why;
  }
}

std::string describe_uncertain(const std::vector<UncertainName>& values,
                               const OutcomeShares& found) {
  std::string out = "\nuncertain\n";
  for (const UncertainName& value : values) {
    out += fmt::format("  {} = {}\n", value.name, value.written);
  }
  if (!found.complete) return out + "interrupted: no shares\n";
  out += fmt::format("shares of {} draws\n", found.draws);
  for (const OutcomeShare& share : found.shares) {
    out += fmt::format("  {:<28} {:8.4f} %  +- {:.2g} %{}\n", share.label, 100.0 * share.share,
                       100.0 * share.error, share.why.empty() ? "" : "   " + share.why);
  }
  if (found.numbers) {
    const NumberSpread& spread = *found.numbers;
    out += fmt::format(
        "numbers\n  mean {:.8g} +- {:.2g}, deviation {:.4g}\n"
        "  5 % {:.8g}, median {:.8g}, 95 % {:.8g}, from {:.8g} to {:.8g}\n",
        spread.mean, spread.error, spread.deviation, spread.low, spread.median, spread.high,
        spread.least, spread.most);
  }
  return out;
}

}  // namespace slipstick
