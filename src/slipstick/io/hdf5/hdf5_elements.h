#pragma once

/// Numbers of the HDF5 file format (The HDF Group, HDF5 File Format Specification Version 3.0) that
/// reading and writing share. Internal to hdf5_format.cc and hdf5_writer.cc.

#include <cstdint>
#include <string_view>

namespace slipstick::hdf5 {

inline constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
inline constexpr std::uint64_t kUndefined = ~std::uint64_t{0};  ///< an address of nothing

/// The types of messages in an object's header.
enum Message : unsigned {
  kShape = 0x01,
  kLinkInfo = 0x02,
  kType = 0x03,
  kFill = 0x05,
  kLink = 0x06,
  kExternalFiles = 0x07,
  kLayout = 0x08,
  kGroupInfo = 0x0a,
  kFilters = 0x0b,
  kAttribute = 0x0c,
  kContinuation = 0x10,
  kSymbolTable = 0x11,
  kAttributeInfo = 0x15,
};

}  // namespace slipstick::hdf5
