#pragma once

/// The part of the HDF5 file format that Hdf5Writer makes (The HDF Group, HDF5 File Format
/// Specification Version 3.0), read without HDF5's library: that one trusts much of what a file
/// says of itself, so that a crafted file crashes it. Here every place is looked at before it is
/// used, and all that is read together is bounded by the file's size.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace slipstick {

/// A file in memory.
class Hdf5Image {
 public:
  /// Throws InputError if the bytes are no HDF5 file, not a whole one, or of an older format.
  Hdf5Image(std::string file, std::string bytes);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::uint64_t root() const { return root_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  /// Bytes of it, which are charged. Throws InputError, which begins with `where`, if it has none
  /// there, or if there is more to be read than a file of this size can have.
  [[nodiscard]] std::string_view read(std::uint64_t address, std::uint64_t size,
                                      const std::string& where) const;
  /// The same without a charge.
  [[nodiscard]] std::string_view view(std::uint64_t address, std::uint64_t size,
                                      const std::string& where) const;
  void charge(std::size_t bytes) const;

 private:
  std::string file_, bytes_;
  std::uint64_t root_ = 0;
  mutable std::size_t charged_ = 0;
};

/// A dataset or an attribute as it is stored. `data` is what lies in the file, whatever the type
/// and the shape say.
struct Hdf5Stored {
  std::string_view type, shape, data;
  bool is_plain = true;  ///< false: compressed, in parts, or in another file
};

/// A group or a dataset; one header.
struct Hdf5Object {
  bool is_group = true;
  Hdf5Stored values;                             ///< of a dataset
  std::map<std::string, Hdf5Stored> attributes;  ///< by name
  std::map<std::string, std::uint64_t> members;  ///< addresses of headers; kNoMember: a link
  static constexpr std::uint64_t kNoMember = ~std::uint64_t{0};
};

/// Throws InputError, which begins with `where`, if there is none at this address.
[[nodiscard]] Hdf5Object parse_hdf5_object(const Hdf5Image& image, std::uint64_t address,
                                           const std::string& where);

}  // namespace slipstick
