#include "slipstick/io/hdf5/hdf5_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "slipstick/errors.h"
#include "slipstick/io/hdf5/hdf5.h"

namespace slipstick {
namespace {

/// The text around the first byte that differs.
std::string describe_text(const std::string& text, std::size_t at) {
  constexpr std::size_t kBefore = 20;
  constexpr std::size_t kLength = 60;
  const std::size_t from = at - std::min(at, kBefore);
  std::string out = text.substr(std::min(from, text.size()), kLength);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' && c >= '\0'; }, ' ');
  return "'" + out + "'";
}

std::string describe_pair(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return fmt::format("at byte {}: {} and {}", at, describe_text(a, at), describe_text(b, at));
}
template <class Number>
std::string describe_pair(Number a, Number b) {
  return fmt::format("{} and {}", a, b);
}

/// Two NaNs count as equal.
template <class Value>
bool is_nan(const Value& value) {
  if constexpr (std::is_same_v<Value, double>) return std::isnan(value);
  return false;
}

/// "row 3, 1" of an array with this shape; empty for a single value.
std::string describe_place(const std::vector<std::size_t>& shape, std::size_t index) {
  std::string out;
  for (std::size_t i = shape.size(); i-- > 0;) {
    out = fmt::format("{}{}{}", index % shape[i], out.empty() ? "" : ", ", out);
    index /= shape[i];
  }
  return shape.empty() ? "" : "row " + out + ": ";
}

std::optional<std::string> compare(const Hdf5Array& a, const Hdf5Array& b) {
  if (a.values.index() != b.values.index()) return "values of different types";
  if (a.shape != b.shape) {
    return fmt::format("sizes [{}] and [{}]", fmt::join(a.shape, ", "), fmt::join(b.shape, ", "));
  }
  return std::visit(
      [&](const auto& values) -> std::optional<std::string> {
        const auto& others = std::get<std::decay_t<decltype(values)>>(b.values);
        const auto [one, other] = std::mismatch(
            values.begin(), values.end(), others.begin(),
            [](const auto& x, const auto& y) { return x == y || (is_nan(x) && is_nan(y)); });
        if (one == values.end()) return std::nullopt;
        const auto index = static_cast<std::size_t>(one - values.begin());
        return describe_place(a.shape, index) + describe_pair(*one, *other);
      },
      a.values);
}

class Comparison {
 public:
  Comparison(const Hdf5Reader& first, const Hdf5Reader& second) : first_(first), second_(second) {}

  std::optional<std::string> find(const std::string& path, const std::string& ignored, int depth) {
    constexpr int kDeepest = 16;  // a group may contain itself
    if (depth > kDeepest) throw InputError(first_.file(), "expected few levels, got too many");
    if (auto found = compare_attributes(path, ignored)) return found;
    if (first_.is_group(path) != second_.is_group(path)) {
      return path + ": a group and values";
    }
    if (!first_.is_group(path)) {
      if (const auto found = compare(first_.read(path), second_.read(path))) {
        return path + ": " + *found;
      }
      return std::nullopt;
    }
    const auto names = first_.list(path);
    if (auto found = compare_names(path, names, second_.list(path))) return found;
    for (const std::string& name : names) {
      if (auto found = find((path == "/" ? "" : path) + "/" + name, "", depth + 1)) return found;
    }
    return std::nullopt;
  }

 private:
  static std::optional<std::string> compare_names(const std::string& path,
                                                  const std::vector<std::string>& first,
                                                  const std::vector<std::string>& second) {
    for (const std::string& name : first) {
      if (!std::binary_search(second.begin(), second.end(), name)) {
        return fmt::format("{}: '{}' and nothing", path, name);
      }
    }
    for (const std::string& name : second) {
      if (!std::binary_search(first.begin(), first.end(), name)) {
        return fmt::format("{}: nothing and '{}'", path, name);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_attributes(const std::string& path,
                                                const std::string& ignored) {
    const auto names = first_.list_attributes(path);
    if (auto found = compare_names(path, names, second_.list_attributes(path))) return found;
    for (const std::string& name : names) {
      if (name == ignored) continue;
      if (const auto found =
              compare(first_.read_attribute(path, name), second_.read_attribute(path, name))) {
        return fmt::format("{}: {}: {}", path, name, *found);
      }
    }
    return std::nullopt;
  }

  const Hdf5Reader& first_;
  const Hdf5Reader& second_;
};

}  // namespace

std::optional<std::string> find_difference(const std::string& file, const std::string& first,
                                           const std::string& second, const std::string& ignored) {
  const Hdf5Reader one(file, first);
  const Hdf5Reader other(file, second);
  return Comparison(one, other).find("/", ignored, 0);
}

}  // namespace slipstick
