#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "slipstick/errors.h"
#include "slipstick/io/hdf5/hdf5.h"

namespace slipstick {
namespace {

using namespace std::string_view_literals;

/// Types as encoded in a file: class and version, class bits, size, properties.
constexpr std::string_view kDoubleType =
    "\x20\x3f\0\x08\0\0\0\0\0\x40\0\x34\x0b\0\x34\xff\x03\0\0"sv;
constexpr std::string_view kIntegerType = "\x08\0\0\x08\0\0\0\0\0\x40\0"sv;
constexpr std::string_view kSmallType = "\x08\0\0\x01\0\0\0\0\0\x08\0"sv;

enum class Kind { kInteger = 0, kDouble = 1, kText = 3 };

struct Type {
  Kind kind = Kind::kDouble;
  std::size_t size = 0;  ///< of a value [bytes]
};

std::uint64_t read_number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = size; i-- > 0;) {
    out = (out << 8U) | static_cast<unsigned char>(bytes[at + i]);
  }
  return out;
}

/// Accepts only types that are stored in the file as in memory.
Type read_type(std::string_view bytes, const std::string& where) {
  constexpr std::size_t kFixed = 8;
  if (bytes.size() >= kFixed) {
    const Kind kind{static_cast<unsigned char>(bytes[0]) & 0xf};
    const std::string_view rest = bytes.substr(1);
    if (kind == Kind::kDouble && rest.starts_with(kDoubleType)) return {kind, sizeof(double)};
    if (kind == Kind::kInteger && rest.starts_with(kIntegerType)) {
      return {kind, sizeof(std::int64_t)};
    }
    if (kind == Kind::kInteger && rest.starts_with(kSmallType)) return {kind, 1};
    if (kind == Kind::kText) return {kind, read_number(bytes, 4, 4)};
  }
  throw InputError(where,
                   "expected doubles, whole numbers of 64 or 8 bit or texts of fixed length, got "
                   "another type");
}

std::vector<std::size_t> parse_shape(std::string_view bytes, const std::string& where) {
  constexpr std::size_t kMostDimensions = 32;
  const unsigned version = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  const std::size_t header = version == 1 ? 8 : 4;
  const bool known = (version == 1 || version == 2) && bytes.size() >= header;
  const std::size_t rank = known ? static_cast<unsigned char>(bytes[1]) : 0;
  const bool is_null = known && version == 2 && bytes[3] > 1;
  if (!known || is_null || rank > kMostDimensions || bytes.size() < header + 8 * rank) {
    throw InputError(where, "expected plain values, got something else");
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rank; ++i) out.push_back(read_number(bytes, header + 8 * i, 8));
  return out;
}

/// Type and shape, checked against what is stored.
struct Extent {
  Type type;
  std::vector<std::size_t> shape;
  std::size_t count = 1;
};

Extent read_extent(const Hdf5Stored& stored, const std::string& where) {
  if (!stored.is_plain) throw InputError(where, "expected plain values, got something else");
  Extent out{read_type(stored.type, where), parse_shape(stored.shape, where), 1};
  const auto expect = [&](bool fits) {
    if (!fits) throw InputError(where, "expected values that fit into the file, got a larger size");
  };
  expect(out.type.size > 0);
  bool is_empty = false;
  for (const std::size_t length : out.shape) is_empty = is_empty || length == 0;
  if (is_empty) {
    out.count = 0;
    return out;
  }
  std::size_t room = stored.data.size() / out.type.size;
  for (const std::size_t length : out.shape) {
    expect(length <= room);
    room /= length;
    out.count *= length;
  }
  expect(room > 0);
  return out;
}

template <class Number>
std::vector<Number> copy_numbers(std::string_view data, std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<Number> out(count);
  if (count > 0) std::memcpy(out.data(), data.data(), count * sizeof(Number));
  return out;
}

std::vector<std::string> copy_texts(std::string_view data, const Extent& extent) {
  std::vector<std::string> out;
  out.reserve(extent.count);
  for (std::size_t i = 0; i < extent.count; ++i) {
    const std::string_view text = data.substr(i * extent.type.size, extent.type.size);
    out.emplace_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return out;
}

Hdf5Array make_array(const Hdf5Image& image, const Hdf5Stored& stored, const std::string& where) {
  Extent extent = read_extent(stored, where);
  image.charge(extent.count * extent.type.size);
  switch (extent.type.kind) {
    case Kind::kDouble:
      return {std::move(extent.shape), copy_numbers<double>(stored.data, extent.count)};
    case Kind::kInteger:
      if (extent.type.size == 1) {
        return {std::move(extent.shape), copy_numbers<std::int8_t>(stored.data, extent.count)};
      }
      return {std::move(extent.shape), copy_numbers<std::int64_t>(stored.data, extent.count)};
    default: {
      std::vector<std::string> texts = copy_texts(stored.data, extent);
      return {std::move(extent.shape), std::move(texts)};
    }
  }
}

template <class Map>
std::vector<std::string> list_keys(const Map& map) {
  std::vector<std::string> out;
  out.reserve(map.size());
  for (const auto& entry : map) out.push_back(entry.first);
  return out;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::string file, std::string bytes)
    : image_(std::move(file), std::move(bytes)) {}

const Hdf5Object* Hdf5Reader::find(const std::string& path) const {
  constexpr std::size_t kLook = 64;  // bytes; an object and the link to it take at least as many
  image_.charge(kLook);
  const auto get = [&](std::uint64_t address, const std::string& where) {
    const auto found = objects_.find(address);
    if (found != objects_.end()) return &found->second;
    return &objects_.emplace(address, parse_hdf5_object(image_, address, file() + ": " + where))
                .first->second;
  };
  const Hdf5Object* out = get(image_.root(), "/");
  for (std::size_t at = path.starts_with('/') ? 1 : 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const auto member = out->members.find(path.substr(at, end - at));
    if (member == out->members.end()) return nullptr;
    const std::string part = path.substr(0, end);
    if (member->second == Hdf5Object::kNoMember) {
      throw InputError(file() + ": " + part, "expected a part of the file, got a link");
    }
    out = get(member->second, part);
    at = end + 1;
  }
  return out;
}

const Hdf5Object& Hdf5Reader::open(const std::string& path) const {
  const Hdf5Object* out = find(path);
  if (out == nullptr) throw InputError(file(), fmt::format("expected {}, got none", path));
  return *out;
}

const Hdf5Object& Hdf5Reader::open_dataset(const std::string& path) const {
  const Hdf5Object& out = open(path);
  if (out.is_group) throw InputError(file() + ": " + path, "expected values, got a group");
  return out;
}

bool Hdf5Reader::has(const std::string& path) const { return find(path) != nullptr; }

bool Hdf5Reader::is_group(const std::string& path) const { return open(path).is_group; }

bool Hdf5Reader::has_attribute(const std::string& path, const std::string& name) const {
  return open(path).attributes.count(name) > 0;
}

std::vector<std::string> Hdf5Reader::list(const std::string& path) const {
  const Hdf5Object& object = open(path);
  if (object.is_group) return list_keys(object.members);
  throw InputError(file(), fmt::format("expected a group {}, got something else", path));
}

std::vector<std::string> Hdf5Reader::list_attributes(const std::string& path) const {
  return list_keys(open(path).attributes);
}

std::vector<std::size_t> Hdf5Reader::read_shape(const std::string& path) const {
  return read_extent(open_dataset(path).values, file() + ": " + path).shape;
}

Hdf5Array Hdf5Reader::read(const std::string& path) const {
  return make_array(image_, open_dataset(path).values, file() + ": " + path);
}

Hdf5Array Hdf5Reader::read_attribute(const std::string& path, const std::string& name) const {
  const std::string where = fmt::format("{}: {}: {}", file(), path, name);
  const Hdf5Object& object = open(path);
  const auto found = object.attributes.find(name);
  if (found == object.attributes.end()) throw InputError(where, "expected a value, got none");
  return make_array(image_, found->second, where);
}

}  // namespace slipstick
