#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/io/hdf5/hdf5_checksum.h"
#include "slipstick/io/hdf5/hdf5_elements.h"

namespace slipstick {

/// A group or a dataset that is being made.
struct Hdf5Node {
  std::vector<std::pair<std::string, Hdf5Array>> attributes;
  std::vector<std::pair<std::string, std::unique_ptr<Hdf5Node>>> members;  ///< of a group
  std::variant<std::monostate, Hdf5Array, Hdf5Doubles> values;             ///< of a dataset
};

namespace {

using namespace hdf5;
using namespace std::string_literals;

static_assert(std::endian::native == std::endian::little, "values lie in files as in memory");

constexpr std::size_t kMostInMessage = 0xffff;  ///< bytes: the length of a header's message has two
constexpr std::size_t kSuperblock = 48;         ///< bytes

/// The numbers and blocks of the format.
class Encoder {
 public:
  Encoder& number(std::uint64_t value, std::size_t bytes) {
    for (; bytes-- > 0; value >>= 8U) out_ += static_cast<char>(value & 0xffU);
    return *this;
  }
  Encoder& byte(unsigned value) { return number(value, 1); }
  Encoder& word(std::uint64_t value) { return number(value, 2); }
  Encoder& address(std::uint64_t value) { return number(value, 8); }  ///< or a size
  Encoder& text(std::string_view bytes) {
    out_ += bytes;
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(out_); }
  /// A block ends with a checksum of all before.
  [[nodiscard]] std::string take_checked() {
    number(eval_hdf5_checksum(out_), 4);
    return take();
  }

 private:
  std::string out_;
};

// --- values ---

std::size_t find_longest(const std::vector<std::string>& texts) {
  std::size_t out = 1;  // no type is empty
  for (const std::string& text : texts) out = std::max(out, text.size());
  constexpr std::size_t kMost = 0xffffffff;
  if (out > kMost) throw std::length_error("a text of a result file has more than 4 GiB");
  return out;
}

/// Class and version, class bits, size, properties.
std::string encode_type(const std::vector<double>& /*values*/) {
  return "\x11\x20\x3f\0\x08\0\0\0\0\0\x40\0\x34\x0b\0\x34\xff\x03\0\0"s;
}
std::string encode_type(const std::vector<std::int64_t>& /*values*/) {
  return "\x10\x08\0\0\x08\0\0\0\0\0\x40\0"s;
}
std::string encode_type(const std::vector<std::int8_t>& /*values*/) {
  return "\x10\x08\0\0\x01\0\0\0\0\0\x08\0"s;
}
/// UTF-8, padded with zeros.
std::string encode_type(const std::vector<std::string>& texts) {
  return Encoder().text("\x13\x11\0\0"s).number(find_longest(texts), 4).take();
}
std::string encode_type(const Hdf5Array& array) {
  return std::visit([](const auto& values) { return encode_type(values); }, array.values);
}
std::string encode_type(const Hdf5Doubles& /*values*/) {
  return encode_type(std::vector<double>{});
}

std::string encode_shape(const std::vector<std::size_t>& shape) {
  constexpr unsigned kScalar = 0;
  constexpr unsigned kSimple = 1;
  Encoder out;
  out.byte(2).byte(static_cast<unsigned>(shape.size())).byte(0);
  out.byte(shape.empty() ? kScalar : kSimple);
  for (const std::size_t length : shape) out.address(length);
  return out.take();
}

template <class Number>
std::size_t measure_values(const std::vector<Number>& values) {
  return values.size() * sizeof(Number);
}
std::size_t measure_values(const std::vector<std::string>& texts) {
  return texts.size() * find_longest(texts);
}
std::size_t measure_values(const Hdf5Array& array) {
  return std::visit([](const auto& values) { return measure_values(values); }, array.values);
}
std::size_t measure_values(const Hdf5Doubles& values) {
  std::size_t out = sizeof(double);
  for (const std::size_t length : values.shape) out *= length;
  return out;
}

template <class Number>
void write_values(const std::vector<Number>& values, const ByteSink& sink) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes may alias
  sink({reinterpret_cast<const char*>(values.data()), measure_values(values)});
}
void write_values(const std::vector<std::string>& texts, const ByteSink& sink) {
  const std::size_t length = find_longest(texts);
  for (const std::string& text : texts) {
    sink(text);
    sink(std::string(length - text.size(), '\0'));
  }
}
void write_values(const Hdf5Array& array, const ByteSink& sink) {
  std::visit([&](const auto& values) { write_values(values, sink); }, array.values);
}
void write_values(const Hdf5Doubles& values, const ByteSink& sink) {
  std::size_t left = measure_values(values);
  values.write([&](std::string_view bytes) {
    if (bytes.size() > left) throw std::logic_error("a dataset got more values than announced");
    left -= bytes.size();
    sink(bytes);
  });
  if (left > 0) throw std::logic_error("a dataset got fewer values than announced");
}

// --- headers of objects ---

/// With more than this, other programs that change the file move attributes or members to
/// structures of their own.
constexpr unsigned kMostInHeader = 64;

void append_message(unsigned type, const std::string& message, Encoder& out) {
  constexpr unsigned kConstant = 1;
  const bool is_constant = type == kType || type == kFill || type == kGroupInfo;
  out.byte(type).word(message.size()).byte(is_constant ? kConstant : 0).text(message);
}

std::string encode_header(const std::string& messages) {
  constexpr unsigned kSizeInFour = 0x02;    // bytes
  constexpr unsigned kPhasesStored = 0x10;  // when attributes are moved
  return Encoder()
      .text("OHDR")
      .byte(2)
      .byte(kSizeInFour | kPhasesStored)
      .word(kMostInHeader)
      .word(0)
      .number(messages.size(), 4)
      .text(messages)
      .take_checked();
}

std::string encode_attribute(const std::string& name, const Hdf5Array& array) {
  const std::string type = encode_type(array);
  const std::string shape = encode_shape(array.shape);
  Encoder out;
  out.byte(3).byte(0).word(name.size() + 1).word(type.size()).word(shape.size()).byte(0);
  out.text(name).byte(0).text(type).text(shape);
  write_values(array, [&](std::string_view bytes) { out.text(bytes); });
  return out.take();
}

/// Name and message.
using Attributes = std::vector<std::pair<std::string, std::string>>;

Attributes encode_attributes(const Hdf5Node& node) {
  Attributes out;
  for (const auto& [name, array] : node.attributes) {
    out.emplace_back(name, encode_attribute(name, array));
  }
  return out;
}

bool fits_in_header(const Attributes& attributes) {
  return std::all_of(attributes.begin(), attributes.end(), [](const auto& attribute) {
    return attribute.second.size() <= kMostInMessage;
  });
}

std::string encode_attribute_info(std::uint64_t heap, std::uint64_t names) {
  return Encoder().byte(0).byte(0).address(heap).address(names).take();
}

std::string encode_link(const std::string& name, std::uint64_t address) {
  constexpr unsigned kLengthInTwo = 1;  // bytes
  return Encoder().byte(1).byte(kLengthInTwo).word(name.size()).text(name).address(address).take();
}

// --- attributes that do not fit in a header: in a heap, each by itself, with a tree of names ---

constexpr std::size_t kHeapId = 8;

/// The id of an object that the heap does not manage, made from its number.
std::string encode_heap_id(std::uint64_t number) {
  constexpr unsigned kHuge = 0x10;
  return Encoder().byte(kHuge).number(number, kHeapId - 1).take();
}

/// A tree of a single leaf. The header comes first.
struct RecordLeaf {
  unsigned type = 0;
  std::vector<std::string> records{};

  static constexpr std::size_t kHeader = 38;  ///< bytes
  [[nodiscard]] std::string encode(std::uint64_t address) const {
    constexpr std::size_t kFrame = 10;  // signature, version, type, checksum
    constexpr std::size_t kSmallest = 512;
    constexpr unsigned kSplit = 100;  // percent, as in files of HDF5 itself
    constexpr unsigned kMerge = 40;
    const std::size_t length = records.front().size();
    const std::size_t size = std::max(kSmallest, kFrame + records.size() * length);
    Encoder header;
    header.text("BTHD").byte(0).byte(type).number(size, 4).word(length).word(0);
    header.byte(kSplit).byte(kMerge).address(address + kHeader).word(records.size());
    Encoder leaf;
    leaf.text("BTLF").byte(0).byte(type);
    for (const std::string& record : records) leaf.text(record);
    std::string out = header.address(records.size()).take_checked() + leaf.take_checked();
    out.resize(kHeader + size, '\0');
    return out;
  }
};

std::string encode_heap(std::uint64_t count, std::uint64_t bytes, std::uint64_t tree) {
  // As in files of HDF5 itself, for programs that add attributes.
  constexpr std::size_t kLargestManaged = 4096;
  constexpr std::size_t kWidth = 4;
  constexpr std::size_t kSmallestBlock = 1024;
  constexpr std::size_t kLargestBlock = 65536;
  constexpr std::size_t kBits = 40;
  constexpr unsigned kWithChecksums = 2;
  Encoder out;
  out.text("FRHP").byte(0).word(kHeapId).word(0).byte(kWithChecksums).number(kLargestManaged, 4);
  out.address(count).address(tree);            // numbers given; where they are
  out.address(0).address(kUndefined);          // free space
  for (int i = 0; i < 4; ++i) out.address(0);  // managed objects: none
  out.address(bytes).address(count).address(0).address(0);
  out.word(kWidth).address(kSmallestBlock).address(kLargestBlock).word(kBits).word(1);
  return out.address(kUndefined).word(0).take_checked();
}

// --- the file ---

/// Assigns every part its place. A part that holds an address comes after the part at that address.
class Layout {
 public:
  explicit Layout(const Hdf5Node& root) {
    const std::uint64_t address = place_object(root);
    superblock_ = Encoder()
                      .text(kSignature)
                      .text("\x02\x08\x08\0"s)
                      .address(0)
                      .address(kUndefined)
                      .address(end_)
                      .address(address)
                      .take_checked();
  }

  [[nodiscard]] std::uint64_t size() const { return end_; }
  void write(const ByteSink& sink) const {
    sink(superblock_);
    for (const Part& part : parts_) {
      sink(part.bytes);
      if (part.node == nullptr) continue;
      std::visit(
          [&](const auto& values) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
              write_values(values, sink);
            }
          },
          part.node->values);
    }
  }

 private:
  struct Part {
    std::string bytes;
    const Hdf5Node* node = nullptr;  ///< then its values
  };

  std::uint64_t place(std::string bytes) {
    const std::uint64_t out = end_;
    end_ += bytes.size();
    parts_.push_back({std::move(bytes)});
    return out;
  }
  /// Aligned as in memory, for programs that map the file.
  std::uint64_t place_values(const Hdf5Node& node, std::size_t size) {
    constexpr std::size_t kAligned = 8;
    place(std::string((kAligned - end_ % kAligned) % kAligned, '\0'));
    const std::uint64_t out = end_;
    end_ += size;
    parts_.push_back({{}, &node});
    return out;
  }

  std::uint64_t place_object(const Hdf5Node& node) {
    Encoder messages;
    std::visit(
        [&](const auto& values) {
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
            add_members(node, messages);
          } else {
            add_values(node, values, messages);
          }
        },
        node.values);
    add_attributes(node, messages);
    return place(encode_header(messages.take()));
  }

  void add_members(const Hdf5Node& node, Encoder& messages) {
    Encoder no_heap;
    no_heap.byte(0).byte(0).address(kUndefined).address(kUndefined);
    append_message(kLinkInfo, no_heap.take(), messages);
    constexpr unsigned kPhasesStored = 1;
    append_message(kGroupInfo,
                   Encoder().byte(0).byte(kPhasesStored).word(kMostInHeader).word(0).take(),
                   messages);
    for (const auto& [name, member] : node.members) {
      append_message(kLink, encode_link(name, place_object(*member)), messages);
    }
  }

  template <class Values>
  void add_values(const Hdf5Node& node, const Values& values, Encoder& messages) {
    constexpr unsigned kContiguous = 1;
    const std::size_t size = measure_values(values);
    const std::uint64_t address = size == 0 ? kUndefined : place_values(node, size);
    append_message(kShape, encode_shape(values.shape), messages);
    append_message(kType, encode_type(values), messages);
    append_message(kFill, "\x03\x0a",
                   messages);  // no fill value; space is allocated with the values
    append_message(kLayout,
                   Encoder().byte(3).byte(kContiguous).address(address).address(size).take(),
                   messages);
  }

  void add_attributes(const Hdf5Node& node, Encoder& messages) {
    if (node.attributes.empty()) return;
    const Attributes attributes = encode_attributes(node);
    if (!fits_in_header(attributes)) {
      append_message(kAttributeInfo, place_outside(attributes), messages);
      return;
    }
    append_message(kAttributeInfo, encode_attribute_info(kUndefined, kUndefined), messages);
    for (const auto& [name, message] : attributes) append_message(kAttribute, message, messages);
  }

  std::string place_outside(const Attributes& attributes) {
    constexpr unsigned kOfHuge = 1;
    constexpr unsigned kOfNames = 8;
    RecordLeaf places{kOfHuge};
    std::vector<std::pair<std::uint32_t, std::string>> names;  // sorted by hash, then by name
    std::size_t bytes = 0;
    for (const auto& [name, message] : attributes)
      names.emplace_back(eval_hdf5_checksum(name), name);
    std::sort(names.begin(), names.end());
    RecordLeaf tree{kOfNames};
    for (const auto& hashed : names) {
      const auto found =
          std::find_if(attributes.begin(), attributes.end(),
                       [&](const auto& attribute) { return attribute.first == hashed.second; });
      const std::uint64_t number = places.records.size() + 1;
      const std::uint64_t address = place(found->second);
      bytes += found->second.size();
      places.records.push_back(
          Encoder().address(address).address(found->second.size()).address(number).take());
      constexpr unsigned kNoOrder = 0;
      tree.records.push_back(Encoder()
                                 .text(encode_heap_id(number))
                                 .byte(0)
                                 .number(kNoOrder, 4)
                                 .number(hashed.first, 4)
                                 .take());
    }
    const std::uint64_t heap =
        place(encode_heap(attributes.size(), bytes, place(places.encode(end_))));
    return encode_attribute_info(heap, place(tree.encode(end_)));
  }

  std::string superblock_;
  std::vector<Part> parts_;
  std::uint64_t end_ = kSuperblock;
};

}  // namespace

Hdf5Array make_hdf5(double value) { return {{}, std::vector<double>{value}}; }
Hdf5Array make_hdf5(std::int64_t value) { return {{}, std::vector<std::int64_t>{value}}; }
Hdf5Array make_hdf5(std::string_view text) {
  return {{}, std::vector<std::string>{std::string(text)}};
}
Hdf5Array make_hdf5(std::vector<double> values) { return {{values.size()}, std::move(values)}; }
Hdf5Array make_hdf5(std::vector<std::int64_t> values) {
  return {{values.size()}, std::move(values)};
}
Hdf5Array make_hdf5(std::vector<std::string> texts) { return {{texts.size()}, std::move(texts)}; }

Hdf5Group Hdf5Group::add_group(const std::string& name) { return Hdf5Group(add_node(name)); }

void Hdf5Group::add(const std::string& name, Hdf5Array dataset) {
  add_node(name).values = std::move(dataset);
}

void Hdf5Group::add(const std::string& name, Hdf5Doubles dataset) {
  add_node(name).values = std::move(dataset);
}

void Hdf5Group::set(const std::string& name, Hdf5Array attribute) {
  node_->attributes.emplace_back(name, std::move(attribute));
}

Hdf5Node& Hdf5Group::add_node(const std::string& name) {
  return *node_->members.emplace_back(name, std::make_unique<Hdf5Node>()).second;
}

Hdf5Writer::Hdf5Writer() : root_(std::make_unique<Hdf5Node>()) {}
Hdf5Writer::Hdf5Writer(Hdf5Writer&&) noexcept = default;
Hdf5Writer& Hdf5Writer::operator=(Hdf5Writer&&) noexcept = default;
Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::write(const ByteSink& sink) const { Layout(*root_).write(sink); }

std::string Hdf5Writer::make_bytes() const {
  const Layout layout(*root_);
  std::string out;
  out.reserve(layout.size());
  layout.write([&](std::string_view bytes) { out += bytes; });
  return out;
}

}  // namespace slipstick
