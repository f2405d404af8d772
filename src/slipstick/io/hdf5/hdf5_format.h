#pragma once

/// The part of the HDF5 file format that Hdf5Writer makes (The HDF Group, HDF5 File Format
/// Specification Version 3.0), read without the HDF5 library. That library trusts what a file says
/// about itself, so a crafted file can crash it. Here every address and size is checked before use,
/// and the total amount read is bounded by the file's size.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace slipstick {

/// A file in memory.
class Hdf5Image {
 public:
  /// Throws InputError if the bytes are not an HDF5 file, an incomplete one, or one of an older
  /// format.
  Hdf5Image(std::string file, std::string bytes);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::uint64_t root() const { return root_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  /// Bytes of the file; they count as read. Throws InputError, whose text begins with `where`, if
  /// they are not in the file, or if more has been read than a file of this size can hold.
  [[nodiscard]] std::string_view read(std::uint64_t address, std::uint64_t size,
                                      const std::string& where) const;
  /// The same, not counted as read.
  [[nodiscard]] std::string_view view(std::uint64_t address, std::uint64_t size,
                                      const std::string& where) const;
  void charge(std::size_t bytes) const;

 private:
  std::string file_, bytes_;
  std::uint64_t root_ = 0;
  mutable std::size_t charged_ = 0;
};

/// A dataset or an attribute as stored. `data` is all that the file has for it, even if type and
/// shape need more or less.
struct Hdf5Stored {
  std::string_view type, shape, data;
  bool is_plain = true;  ///< false: compressed, in parts, or in another file
};

/// A group or a dataset, read from its header.
struct Hdf5Object {
  bool is_group = true;
  Hdf5Stored values;                             ///< of a dataset
  std::map<std::string, Hdf5Stored> attributes;  ///< by name
  std::map<std::string, std::uint64_t> members;  ///< addresses of headers; kNoMember: a link
  static constexpr std::uint64_t kNoMember = ~std::uint64_t{0};
};

/// Throws InputError, whose text begins with `where`, if there is no object at this address.
[[nodiscard]] Hdf5Object parse_hdf5_object(const Hdf5Image& image, std::uint64_t address,
                                           const std::string& where);

}  // namespace slipstick
