#pragma once

/// Collects what a check finds.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "slipstick/run.h"
#include "slipstick/verdict.h"

namespace slipstick::check {

/// True if the notes of an event contain this text.
[[nodiscard]] inline bool has_note(const Event& event, std::string_view part) {
  return std::any_of(event.notes.begin(), event.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

class Findings {
 public:
  explicit Findings(Check& out) : out_(out) {}

  /// Records a size, in units of its scale, that may be as large as `allowed`; true if it is not
  /// larger. NaN counts as infinite.
  bool note(std::string_view law, int contact, double time, double size, double allowed,
            double Check::Worst::*worst = nullptr) {
    if (std::isnan(size)) size = HUGE_VAL;
    if (worst != nullptr) out_.worst.*worst = std::max(out_.worst.*worst, size);
    if (size <= allowed) return false;
    add(law, contact, time, size);
    return true;
  }

 private:
  void add(std::string_view law, int contact, double time, double size) {
    out_.passed = false;
    const bool known = std::any_of(
        out_.violations.begin(), out_.violations.end(),
        [&](const Violation& other) { return other.law == law && other.contact == contact; });
    if (!known) out_.violations.push_back({std::string(law), contact, time, size});
  }

  Check& out_;
};

}  // namespace slipstick::check
