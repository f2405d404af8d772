#include "slipstick/io/hdf5/hdf5_format.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "slipstick/errors.h"
#include "slipstick/io/hdf5/hdf5_checksum.h"
#include "slipstick/io/hdf5/hdf5_elements.h"

namespace slipstick {
namespace {

using namespace hdf5;

constexpr std::size_t kAddress = 8;   ///< bytes of an address, and of a size
constexpr std::size_t kChecksum = 4;  ///< bytes

[[noreturn]] void throw_damaged(const std::string& where) {
  throw InputError(where, "expected a part of an HDF5 file, got a damaged one");
}

std::uint64_t decode_number(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    out = (out << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return out;
}

/// Takes bytes from the front.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& where) : rest_(bytes), where_(&where) {}

  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw_damaged(*where_);
    const std::string_view out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return out;
  }
  [[nodiscard]] std::string_view take_all() { return take(rest_.size()); }
  [[nodiscard]] std::uint64_t number(std::size_t bytes) { return decode_number(take(bytes)); }
  [[nodiscard]] unsigned byte() { return static_cast<unsigned char>(take(1)[0]); }
  [[nodiscard]] std::uint64_t address() { return number(kAddress); }
  void skip(std::size_t count) { (void)take(count); }
  void expect(bool holds) const {
    if (!holds) throw_damaged(*where_);
  }

 private:
  std::string_view rest_;
  const std::string* where_;
};

bool has_checksum(std::string_view bytes, std::uint64_t checksum) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return true;  // a fuzzer would never guess a checksum
#endif
  return checksum == eval_hdf5_checksum(bytes);
}

/// A block that starts with its signature and ends with its checksum; gives what is between.
std::string_view open_block(std::string_view block, std::string_view signature,
                            const std::string& where) {
  if (block.size() < signature.size() + kChecksum || !block.starts_with(signature) ||
      !has_checksum(block.substr(0, block.size() - kChecksum),
                    decode_number(block.substr(block.size() - kChecksum)))) {
    throw_damaged(where);
  }
  return block.substr(signature.size(), block.size() - signature.size() - kChecksum);
}

/// As many bytes as numbers up to `most` need.
std::size_t count_bytes(std::uint64_t most) {
  return most == 0 ? 1 : (static_cast<std::size_t>(std::bit_width(most)) + 7) / 8;
}

// --- trees of records (version 2): where groups have more members than fit in their header ---

class RecordTree {
 public:
  using Visit = std::function<void(std::string_view)>;

  RecordTree(const Hdf5Image& image, std::uint64_t address, const std::string& where)
      : image_(image), where_(where) {
    constexpr std::size_t kHeader = 38;
    constexpr std::size_t kDeepest = 8;  // far more records than a file has bytes
    Cursor in(open_block(image.read(address, kHeader, where), "BTHD", where), where);
    in.expect(in.byte() == 0);
    in.skip(1);  // the type of the records, which the caller knows
    node_size_ = in.number(4);
    record_size_ = in.number(2);
    depth_ = in.number(2);
    in.skip(2);
    root_ = in.address();
    root_count_ = in.number(2);
    constexpr std::size_t kSmallest = 10;  // signature, version, type, checksum
    in.expect(record_size_ > 0 && depth_ <= kDeepest && node_size_ >= kSmallest + record_size_);
    make_levels(node_size_ - kSmallest);
  }

  [[nodiscard]] std::size_t record_size() const { return record_size_; }
  void visit(const Visit& visit) const {
    if (root_ != kUndefined) visit_node(root_, root_count_, depth_, visit);
  }

 private:
  /// The number of records that a node of each depth can have, alone and with all below it. It sets
  /// the length of the counts in the nodes above.
  void make_levels(std::uint64_t room) {
    std::uint64_t most = room / record_size_;
    count_size_ = count_bytes(most);
    std::uint64_t below = most;
    for (std::size_t depth = 1; depth <= depth_; ++depth) {
      const std::size_t pointer = kAddress + count_size_ + total_size(depth);
      most = room < pointer ? 0 : (room - pointer) / (record_size_ + pointer);
      below = (most + 1) * below + most;
      total_sizes_.push_back(count_bytes(below));
    }
  }
  /// Bytes of the number of all records below a child of a node.
  [[nodiscard]] std::size_t total_size(std::size_t depth) const {
    return depth > 1 ? total_sizes_[depth - 2] : 0;
  }

  void visit_node(std::uint64_t address, std::uint64_t count, std::size_t depth,
                  const Visit& visit) const {
    const std::size_t total = total_size(depth);
    constexpr std::size_t kPrefix = 6;
    const std::uint64_t pointers = depth == 0 ? 0 : (count + 1) * (kAddress + count_size_ + total);
    const std::uint64_t size = kPrefix + count * record_size_ + pointers + kChecksum;
    if (size > node_size_) throw_damaged(where_);
    Cursor in(open_block(image_.read(address, size, where_), depth == 0 ? "BTLF" : "BTIN", where_),
              where_);
    in.skip(2);
    for (std::uint64_t i = 0; i < count; ++i) visit(in.take(record_size_));
    for (std::uint64_t i = 0; depth > 0 && i <= count; ++i) {
      const std::uint64_t child = in.address();
      const std::uint64_t records = in.number(count_size_);
      in.skip(total);
      visit_node(child, records, depth - 1, visit);
    }
  }

  const Hdf5Image& image_;
  const std::string& where_;
  std::uint64_t node_size_ = 0, root_ = 0, root_count_ = 0;
  std::size_t record_size_ = 0, depth_ = 0, count_size_ = 0;
  std::vector<std::size_t> total_sizes_;
};

// --- heaps (fractal): what those records point to ---

class Heap {
 public:
  Heap(const Hdf5Image& image, std::uint64_t address, const std::string& where)
      : image_(image), where_(where) {
    constexpr std::size_t kHeader = 146;
    Cursor in(open_block(image.read(address, kHeader, where), "FRHP", where), where);
    in.expect(in.byte() == 0);
    id_size_ = in.number(2);
    in.expect(in.number(2) == 0);  // no filters
    has_checksums_ = (in.byte() & 2U) != 0;
    in.skip(4 + kAddress);
    huge_ = in.address();
    in.skip(10 * kAddress);
    width_ = in.number(2);
    block_size_ = in.number(kAddress);
    const std::uint64_t largest = in.number(kAddress);
    const std::uint64_t bits = in.number(2);
    in.skip(2);
    root_ = in.address();
    rows_ = in.number(2);
    offset_size_ = (bits + 7) / 8;
    in.expect(std::has_single_bit(width_) && std::has_single_bit(block_size_) &&
              std::has_single_bit(largest) && largest >= block_size_ && bits <= 64 &&
              id_size_ > 1 + offset_size_ && id_size_ <= 1 + offset_size_ + kAddress);
    direct_rows_ = log2(largest) - log2(block_size_) + 2;
  }

  [[nodiscard]] std::size_t id_size() const { return id_size_; }

  [[nodiscard]] std::string_view read(std::string_view id) const {
    constexpr unsigned kManaged = 0;
    constexpr unsigned kHuge = 0x10;
    Cursor in(id, where_);
    const unsigned kind = in.byte();
    if (kind == kHuge) return read_huge(in.number(std::min(kAddress, in.left())));
    in.expect(kind == kManaged);
    const std::uint64_t offset = in.number(offset_size_);
    const std::uint64_t size = in.number(in.left());
    if (rows_ == 0) return read_direct(root_, block_size_, offset, size);
    return read_indirect(root_, rows_, offset, size, 0);
  }

 private:
  static std::size_t log2(std::uint64_t power) {
    return static_cast<std::size_t>(std::countr_zero(power));
  }
  /// The size of the blocks in a row; it doubles from the second row on.
  [[nodiscard]] std::uint64_t eval_block_size(std::size_t row) const {
    return row == 0 ? block_size_ : block_size_ << (row - 1);
  }
  [[nodiscard]] std::size_t block_header() const { return 5 + kAddress + offset_size_; }

  std::string_view read_direct(std::uint64_t address, std::uint64_t block, std::uint64_t offset,
                               std::uint64_t size) const {
    const std::string_view bytes = image_.view(address, block, where_);
    const std::size_t header = block_header() + (has_checksums_ ? kChecksum : 0);
    if (!bytes.starts_with("FHDB") || offset < header || size > block || offset > block - size) {
      throw_damaged(where_);
    }
    image_.charge(size);
    return bytes.substr(offset, size);
  }

  std::string_view read_indirect(std::uint64_t address, std::size_t rows, std::uint64_t offset,
                                 std::uint64_t size, int depth) const {
    constexpr std::size_t kMostRows = 64;
    constexpr int kDeepest = 8;
    if (rows > kMostRows || depth > kDeepest) throw_damaged(where_);
    const std::size_t length = block_header() + rows * width_ * kAddress + kChecksum;
    const std::string_view block = image_.view(address, length, where_);
    if (seen_.insert(address).second) {
      image_.charge(length);
      (void)open_block(block, "FHIB", where_);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t each = eval_block_size(row);
      if (each == 0 || each > kUndefined / width_) break;
      if (offset >= each * width_) {
        offset -= each * width_;
        continue;
      }
      const std::size_t entry = row * width_ + offset / each;
      const std::uint64_t child =
          decode_number(block.substr(block_header() + entry * kAddress, kAddress));
      if (row < direct_rows_) return read_direct(child, each, offset % each, size);
      const std::size_t first = log2(block_size_) + log2(width_);
      if (log2(each) < first) break;
      return read_indirect(child, log2(each) - first + 1, offset % each, size, depth + 1);
    }
    throw_damaged(where_);
  }

  [[nodiscard]] std::string_view read_huge(std::uint64_t id) const {
    constexpr std::size_t kRecord = 3 * kAddress;
    const RecordTree tree(image_, huge_, where_);
    if (tree.record_size() != kRecord) throw_damaged(where_);
    std::string_view out;
    bool found = false;
    tree.visit([&](std::string_view record) {
      Cursor in(record, where_);
      const std::uint64_t address = in.address();
      const std::uint64_t size = in.number(kAddress);
      if (found || in.number(kAddress) != id) return;
      out = image_.read(address, size, where_);
      found = true;
    });
    if (!found) throw_damaged(where_);
    return out;
  }

  const Hdf5Image& image_;
  const std::string& where_;
  std::size_t id_size_ = 0, offset_size_ = 0, rows_ = 0, direct_rows_ = 0, width_ = 0;
  bool has_checksums_ = false;
  mutable std::set<std::uint64_t> seen_;  ///< blocks whose checksums are right
  std::uint64_t huge_ = 0, block_size_ = 0, root_ = 0;
};

// --- headers of objects ---

class HeaderReader {
 public:
  HeaderReader(const Hdf5Image& image, const std::string& where) : image_(image), where_(where) {}

  [[nodiscard]] Hdf5Object read(std::uint64_t address) {
    constexpr std::size_t kFixed = 6;  // signature, version, flags
    Cursor start(image_.read(address, kFixed, where_), where_);
    if (start.take(4) != "OHDR" || start.byte() != 2) {
      throw InputError(where_, "expected HDF5 1.8's format, got another one");
    }
    flags_ = start.byte();
    const std::size_t times = (flags_ & 0x20U) != 0 ? 16 : 0;
    const std::size_t limits = (flags_ & 0x10U) != 0 ? 4 : 0;
    const std::size_t size_of_size = std::size_t{1} << (flags_ & 3U);
    const std::size_t before = kFixed + times + limits;
    const std::uint64_t size =
        Cursor(image_.read(address + before, size_of_size, where_), where_).number(size_of_size);
    if (size > image_.size()) throw_damaged(where_);
    const std::size_t header = before + size_of_size;
    const std::string_view all = image_.read(address, header + size + kChecksum, where_);
    (void)open_block(all, "OHDR", where_);
    read_messages(all.substr(header, size));
    std::size_t next = 0;
    while (next < further_.size()) {  // each block may name further ones
      const auto [at, length] = further_[next++];
      const std::string_view block = image_.read(at, length, where_);
      read_messages(open_block(block, "OCHK", where_));
    }
    out_.is_group = out_.values.type.empty();
    return std::move(out_);
  }

 private:
  void read_messages(std::string_view bytes) {
    const std::size_t header = 4 + ((flags_ & 4U) != 0 ? 2 : 0);
    Cursor in(bytes, where_);
    while (in.left() >= header) {  // less is a gap
      const unsigned type = in.byte();
      const std::uint64_t size = in.number(2);
      const unsigned flags = in.byte();
      in.skip(header - 4);
      read_message(type, flags, in.take(size));
    }
  }

  void read_message(unsigned type, unsigned flags, std::string_view bytes) {
    constexpr unsigned kShared = 2;  // the message is stored elsewhere
    Cursor in(bytes, where_);
    switch (type) {
      case kShape:
        out_.values.shape = in.take_all();
        break;
      case kType:
        in.expect((flags & kShared) == 0);
        out_.values.type = in.take_all();
        break;
      case kLayout:
        read_layout(in);
        break;
      case kExternalFiles:
      case kFilters:
        out_.values.is_plain = false;
        break;
      case kLink:
        read_link(in);
        break;
      case kAttribute:
        in.expect((flags & kShared) == 0);
        read_attribute(in);
        break;
      case kLinkInfo:
        read_outside(in, kAddress, [this](Cursor link) { read_link(link); });
        break;
      case kAttributeInfo:
        read_outside(in, 2, [this](Cursor attribute) { read_attribute(attribute); });
        break;
      case kContinuation: {
        const std::uint64_t address = in.address();
        further_.emplace_back(address, in.number(kAddress));
        break;
      }
      case kSymbolTable:
        throw InputError(where_, "expected HDF5 1.8's format, got another one");
      default:  // fill values, sizes and the like
        break;
    }
  }

  void read_layout(Cursor in) {
    constexpr unsigned kCompact = 0;
    constexpr unsigned kContiguous = 1;
    const unsigned version = in.byte();
    const unsigned kind = in.byte();
    if ((version != 3 && version != 4) || kind > kContiguous) {
      out_.values.is_plain = false;
    } else if (kind == kCompact) {
      out_.values.data = in.take(in.number(2));
    } else {
      const std::uint64_t address = in.address();
      const std::uint64_t size = in.number(kAddress);
      // Not counted as read; it counts once the values are read.
      if (address != kUndefined && size > 0) out_.values.data = image_.view(address, size, where_);
    }
  }

  void read_link(Cursor in) {
    in.expect(in.byte() == 1);
    const unsigned flags = in.byte();
    const unsigned kind = (flags & 8U) != 0 ? in.byte() : 0;
    if ((flags & 4U) != 0) in.skip(8);
    if ((flags & 16U) != 0) in.skip(1);
    const std::uint64_t length = in.number(std::size_t{1} << (flags & 3U));
    in.expect(length <= in.left());
    const std::string name(in.take(length));
    // Links to other places of this file, or of other files, have no address here.
    const std::uint64_t address = kind == 0 ? in.address() : Hdf5Object::kNoMember;
    in.expect(out_.members.emplace(name, address).second);
  }

  void read_attribute(Cursor in) {
    const unsigned version = in.byte();
    in.expect(version >= 1 && version <= 3);
    in.expect(in.byte() == 0);  // no part is stored elsewhere
    const std::uint64_t name_size = in.number(2);
    const std::uint64_t type_size = in.number(2);
    const std::uint64_t shape_size = in.number(2);
    if (version == 3) in.skip(1);
    const auto take = [&](std::uint64_t size) {
      const std::string_view out = in.take(size);
      if (version == 1) in.skip((8 - size % 8) % 8);
      return out;
    };
    const std::string_view name = take(name_size);
    Hdf5Stored stored;
    stored.type = take(type_size);
    stored.shape = take(shape_size);
    stored.data = in.take_all();
    in.expect(out_.attributes.emplace(name.substr(0, name.find('\0')), stored).second);
  }

  /// Members or attributes that did not fit in the header.
  void read_outside(Cursor in, std::size_t index_size, const std::function<void(Cursor)>& read) {
    in.expect(in.byte() == 0);
    if ((in.byte() & 1U) != 0) in.skip(index_size);
    const std::uint64_t heap_address = in.address();
    const std::uint64_t tree_address = in.address();
    if (heap_address == kUndefined) return;
    const Heap heap(image_, heap_address, where_);
    const RecordTree tree(image_, tree_address, where_);
    // Members: a hash, then the place in the heap; attributes: the place, flags, order, hash.
    constexpr std::size_t kHash = 4;
    const bool hash_first = tree.record_size() == kHash + heap.id_size();
    in.expect(hash_first || tree.record_size() > kHash + heap.id_size());
    tree.visit([&](std::string_view record) {
      const std::string_view id = record.substr(hash_first ? kHash : 0, heap.id_size());
      read(Cursor(heap.read(id), where_));
    });
  }

  const Hdf5Image& image_;
  const std::string& where_;
  unsigned flags_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> further_;  ///< parts: address, size
  Hdf5Object out_;
};

}  // namespace

Hdf5Image::Hdf5Image(std::string file, std::string bytes)
    : file_(std::move(file)), bytes_(std::move(bytes)) {
  constexpr std::size_t kSuperblock = 48;
  const std::string_view all = bytes_;
  const auto expect = [&](bool holds, const char* got) {
    if (!holds) throw InputError(file_, std::string("expected a whole HDF5 file, got ") + got);
  };
  expect(all.starts_with(kSignature), "something else");
  constexpr const char* kCut = "one that is cut short or damaged";
  expect(all.size() >= kSuperblock, kCut);
  Cursor in(all.substr(kSignature.size(), kSuperblock), file_);
  const unsigned version = in.byte();
  if (version != 2 || in.byte() != kAddress || in.byte() != kAddress) {
    throw InputError(file_,
                     "expected a result file of slipstick, got an HDF5 file of another kind");
  }
  in.skip(1);
  const std::uint64_t base = in.address();
  in.skip(kAddress);
  const std::uint64_t end = in.address();
  root_ = in.address();
  expect(has_checksum(all.substr(0, kSuperblock - kChecksum), in.number(kChecksum)), kCut);
  expect(base == 0 && end <= all.size(), kCut);
}

void Hdf5Image::charge(std::size_t bytes) const {
  constexpr std::size_t kTimes = 4;  // some values are read again: names, the schema
  charged_ += std::min(bytes, bytes_.size() + 1);
  if (charged_ / kTimes <= bytes_.size()) return;
  throw InputError(file_, "expected each value under one name, got values with many names");
}

std::string_view Hdf5Image::view(std::uint64_t address, std::uint64_t size,
                                 const std::string& where) const {
  if (address > bytes_.size() || size > bytes_.size() - address) throw_damaged(where);
  return std::string_view(bytes_).substr(address, size);
}

std::string_view Hdf5Image::read(std::uint64_t address, std::uint64_t size,
                                 const std::string& where) const {
  charge(size);
  return view(address, size, where);
}

Hdf5Object parse_hdf5_object(const Hdf5Image& image, std::uint64_t address,
                             const std::string& where) {
  return HeaderReader(image, where).read(address);
}

}  // namespace slipstick
