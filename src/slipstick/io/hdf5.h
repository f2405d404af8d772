#pragma once

/// HDF5 files as bytes in memory; hdf5.cc is the only place that knows HDF5's C interface. Equal
/// contents give equal bytes: nothing of the time or the machine is written. Metadata carry
/// checksums, values lie plainly one after another.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "slipstick/io/hdf5_format.h"

namespace slipstick {

/// Values of a dataset or an attribute, the last index fastest. Without a shape: a single one.
struct Hdf5Array {
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> values;

  friend bool operator==(const Hdf5Array&, const Hdf5Array&) = default;
};

[[nodiscard]] Hdf5Array make_hdf5(double value);
[[nodiscard]] Hdf5Array make_hdf5(std::int64_t value);
[[nodiscard]] Hdf5Array make_hdf5(std::string_view text);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<double> values);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<std::int64_t> values);
[[nodiscard]] Hdf5Array make_hdf5(std::vector<std::string> texts);

/// An identifier of the C interface, released at the end.
class Hdf5Id {
 public:
  explicit Hdf5Id(std::int64_t id) : id_(id) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(other.id_) { other.id_ = -1; }
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  Hdf5Id(const Hdf5Id&) = delete;
  Hdf5Id& operator=(const Hdf5Id&) = delete;
  ~Hdf5Id() { release(); }

  [[nodiscard]] std::int64_t get() const { return id_; }
  [[nodiscard]] bool is_valid() const { return id_ >= 0; }
  void release();

 private:
  std::int64_t id_;
};

/// While one lives, HDF5 is ours alone, for it knows no threads, and prints nothing.
class Hdf5Session {
 public:
  Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;
  ~Hdf5Session();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  int (*report_)(std::int64_t, void*) = nullptr;  ///< what there was before
  void* report_data_ = nullptr;
};

/// A group of a file that is being made. Throws std::runtime_error if HDF5 fails, which means out
/// of memory.
class Hdf5Group {
 public:
  Hdf5Group(Hdf5Id group, Hdf5Id group_options, Hdf5Id dataset_options)
      : id_(std::move(group)),
        group_options_(std::move(group_options)),
        dataset_options_(std::move(dataset_options)) {}

  [[nodiscard]] Hdf5Group add_group(const char* name);
  void add(const char* name, const Hdf5Array& dataset);
  void set(const char* name, const Hdf5Array& attribute);

 private:
  Hdf5Id id_, group_options_, dataset_options_;
};

/// Makes a file.
class Hdf5Writer {
 public:
  Hdf5Writer();

  [[nodiscard]] Hdf5Group make_root();
  /// Ends the file: nothing can be added any more.
  [[nodiscard]] std::string make_bytes();

 private:
  Hdf5Session session_;
  std::string image_;  ///< HDF5 writes here
  Hdf5Id file_;
};

/// Reads a file, whatever is in it, without HDF5's library (hdf5_format.h): doubles, whole numbers
/// of 64 bit and texts of fixed length, as Hdf5Writer writes them. Throws InputError, which names
/// the file and the part.
class Hdf5Reader {
 public:
  /// `file` names it in messages.
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
  /// Of a dataset, without its values.
  [[nodiscard]] std::vector<std::size_t> read_shape(const std::string& path) const;
  [[nodiscard]] Hdf5Array read_attribute(const std::string& path, const std::string& name) const;

 private:
  /// Null if there is nothing at the path.
  [[nodiscard]] const Hdf5Object* find(const std::string& path) const;
  [[nodiscard]] const Hdf5Object& open(const std::string& path) const;
  [[nodiscard]] const Hdf5Object& open_dataset(const std::string& path) const;

  Hdf5Image image_;
  mutable std::map<std::uint64_t, Hdf5Object> objects_;  ///< by address, as far as looked at
};

}  // namespace slipstick
