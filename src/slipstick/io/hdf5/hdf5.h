#pragma once

/// HDF5 files, written (hdf5_writer.cc) and read (hdf5_format.cc, hdf5_reader.cc) without the HDF5
/// library, because a small part of the format is enough. Equal contents give equal bytes: no time
/// stamp and nothing about the machine is stored. Metadata carry checksums; values are stored
/// contiguously.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/hdf5/hdf5_format.h"

namespace slipstick {

/// Values of a dataset or an attribute, the last index fastest. No shape: a single value.
struct Hdf5Array {
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>,
               std::vector<std::int8_t>>
      values;

  friend bool operator==(const Hdf5Array&, const Hdf5Array&) = default;
};

[[nodiscard]] Hdf5Array make_hdf5(double value);
[[nodiscard]] Hdf5Array make_hdf5(std::int64_t value);
[[nodiscard]] Hdf5Array make_hdf5(std::string_view text);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<double> values);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<std::int64_t> values);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<std::string> texts);

/// A dataset of doubles that are computed while the file is written.
struct Hdf5Doubles {
  std::vector<std::size_t> shape;
  /// Passes all of them to the sink, as they lie in memory.
  std::function<void(const ByteSink&)> write;
};

struct Hdf5Node;

/// A group of a file that is being made; the writer owns it. Names must be unique.
class Hdf5Group {
 public:
  explicit Hdf5Group(Hdf5Node& node) : node_(&node) {}

  [[nodiscard]] Hdf5Group add_group(const std::string& name);
  void add(const std::string& name, Hdf5Array dataset);
  void add(const std::string& name, Hdf5Doubles dataset);
  void set(const std::string& name, Hdf5Array attribute);

 private:
  Hdf5Node& add_node(const std::string& name);

  Hdf5Node* node_;
};

/// Makes a file. It holds what is added until the file is written.
class Hdf5Writer {
 public:
  Hdf5Writer();
  Hdf5Writer(Hdf5Writer&&) noexcept;
  Hdf5Writer& operator=(Hdf5Writer&&) noexcept;
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  ~Hdf5Writer();

  [[nodiscard]] Hdf5Group root() { return Hdf5Group(*root_); }
  void write(const ByteSink& sink) const;
  [[nodiscard]] std::string make_bytes() const;

 private:
  std::unique_ptr<Hdf5Node> root_;
};

/// Reads a file that may contain anything: doubles, whole numbers of 64 or 8 bits and texts of
/// fixed length, as Hdf5Writer writes them. Throws InputError with the names of the file and the
/// part.
class Hdf5Reader {
 public:
  /// `file` is its name in messages.
  Hdf5Reader(std::string file, std::string bytes);

  [[nodiscard]] const std::string& file() const { return image_.file(); }
  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] bool is_group(const std::string& path) const;
  [[nodiscard]] bool has_attribute(const std::string& path, const std::string& name) const;
  /// Names of what a group holds, sorted.
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const;
  /// Names of attributes, sorted.
  [[nodiscard]] std::vector<std::string> list_attributes(const std::string& path) const;
  [[nodiscard]] Hdf5Array read(const std::string& path) const;
  /// The shape of a dataset; its values are not read.
  [[nodiscard]] std::vector<std::size_t> read_shape(const std::string& path) const;
  [[nodiscard]] Hdf5Array read_attribute(const std::string& path, const std::string& name) const;

 private:
  /// Null if there is nothing at the path.
  [[nodiscard]] const Hdf5Object* find(const std::string& path) const;
  [[nodiscard]] const Hdf5Object& open(const std::string& path) const;
  [[nodiscard]] const Hdf5Object& open_dataset(const std::string& path) const;

  Hdf5Image image_;
  mutable std::map<std::uint64_t, Hdf5Object> objects_;  ///< by address, those parsed so far
};

}  // namespace slipstick
