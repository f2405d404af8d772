#include "slipstick/io/hdf5.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "slipstick/core/input_error.h"

namespace slipstick {

static_assert(std::is_same_v<hid_t, std::int64_t>);

namespace {

/// More attributes or members than this lie in structures of their own; ours never do.
constexpr unsigned kMostInHeader = 64;

std::recursive_mutex& session_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

Hdf5Id check(hid_t id) {
  if (id < 0) throw std::runtime_error("HDF5 failed while making a file: out of memory?");
  return Hdf5Id(id);
}
void check_done(herr_t status) {
  if (status < 0) throw std::runtime_error("HDF5 failed while making a file: out of memory?");
}

/// Options of groups, datasets and files: no times, and all in the object's header.
Hdf5Id make_options(hid_t type) {
  Hdf5Id out = check(H5Pcreate(type));
  check_done(H5Pset_obj_track_times(out.get(), 0));
  check_done(H5Pset_attr_phase_change(out.get(), kMostInHeader, 0));
  if (type != H5P_DATASET_CREATE) {
    check_done(H5Pset_link_phase_change(out.get(), kMostInHeader, 0));
  }
  return out;
}

// --- files in memory ---

// What H5Fget_file_image gives has a wrong checksum (1.10.8), so HDF5 gets its memory here, where
// the file is complete once it is closed.

extern "C" void* grow_image(void* /*old*/, std::size_t size, H5FD_file_image_op_t /*op*/,
                            void* image) {
  try {
    auto& bytes = *static_cast<std::string*>(image);
    if (size > bytes.size()) bytes.resize(size);  // its room doubles
    return bytes.data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
extern "C" void* allocate_image(std::size_t size, H5FD_file_image_op_t op, void* image) {
  return grow_image(nullptr, size, op, image);
}
extern "C" herr_t keep_image(void* /*data*/, H5FD_file_image_op_t /*op*/, void* /*image*/) {
  return 0;
}
extern "C" void* copy_place(void* image) { return image; }
extern "C" herr_t free_place(void* /*image*/) { return 0; }

/// The superblock of our format says in bytes 28 to 35 where the file ends.
std::uint64_t find_size(const std::string& image) {
  std::uint64_t out = 0;
  std::memcpy(&out, image.data() + 28, sizeof(out));
  return out;
}

/// HDF5 wants a name and looks for such a file; there can be none. Files of one name that are open
/// at the same time are one file to it.
std::string make_name() {
  static std::uint64_t count = 0;  // within a session
  return fmt::format("/dev/null/{}", ++count);
}

/// A file that lives in memory only.
Hdf5Id make_memory_access() {
  constexpr std::size_t kGrowth = 1U << 16U;
  Hdf5Id out = check(H5Pcreate(H5P_FILE_ACCESS));
  check_done(H5Pset_fapl_core(out.get(), kGrowth, 0));
  check_done(H5Pset_fclose_degree(out.get(), H5F_CLOSE_STRONG));  // with all that is open in it
  // One format, whatever the library's version; the first that has checksums.
  check_done(H5Pset_libver_bounds(out.get(), H5F_LIBVER_V18, H5F_LIBVER_V18));
  return out;
}

/// When it is closed, its bytes go to `image`.
Hdf5Id make_file(std::string& image) {
  const Hdf5Id options = make_options(H5P_FILE_CREATE);
  const Hdf5Id access = make_memory_access();
  H5FD_file_image_callbacks_t callbacks{allocate_image, nullptr,    grow_image, keep_image,
                                        copy_place,     free_place, &image};
  check_done(H5Pset_file_image_callbacks(access.get(), &callbacks));
  return check(H5Fcreate(make_name().c_str(), H5F_ACC_TRUNC, options.get(), access.get()));
}

/// Formats before the one that make_memory_access asks for have no checksums, and the library is
/// less careful with them. The version of the format follows the signature.
void check_format(const std::string& name, const std::string& bytes) {
  constexpr std::size_t kVersionAt = 8;
  constexpr char kVersion18 = 2;
  if (bytes.size() <= kVersionAt || bytes[kVersionAt] == kVersion18) return;
  throw InputError(name, "expected a result file of slipstick, got an HDF5 file of another kind");
}

Hdf5Id open_file(const std::string& name, const std::string& bytes) {
  const Hdf5Id access = make_memory_access();
  // HDF5 copies the bytes and does not change these.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  void* image = const_cast<char*>(bytes.data());
  if (!bytes.empty()) check_done(H5Pset_file_image(access.get(), image, bytes.size()));
  const bool starts_well = bytes.starts_with("\x89HDF\r\n\x1a\n");
  check_format(name, starts_well ? bytes : "");
  Hdf5Id out(H5Fopen(make_name().c_str(), H5F_ACC_RDONLY, access.get()));
  if (out.is_valid()) return out;
  throw InputError(
      name, fmt::format("expected a whole HDF5 file, got {}",
                        starts_well ? "one that is cut short or damaged" : "something else"));
}

// --- values ---

Hdf5Id make_text_type(std::size_t length) {
  Hdf5Id out = check(H5Tcopy(H5T_C_S1));
  check_done(H5Tset_size(out.get(), std::max<std::size_t>(length, 1)));
  check_done(H5Tset_cset(out.get(), H5T_CSET_UTF8));
  check_done(H5Tset_strpad(out.get(), H5T_STR_NULLPAD));
  return out;
}

/// How values lie in the file and in memory. The types of numbers are HDF5's own and stay.
struct Stored {
  hid_t file_type, memory_type;
  const void* data;
  std::optional<Hdf5Id> text_type;
  std::string text;  ///< texts are padded to one length
};

Stored make_stored(const std::vector<double>& values) {
  return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), {}, {}};
}
Stored make_stored(const std::vector<std::int64_t>& values) {
  return {H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), {}, {}};
}
Stored make_stored(const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  Stored out{0, 0, nullptr, make_text_type(length), {}};
  out.file_type = out.memory_type = out.text_type->get();
  out.text.reserve(length * texts.size());
  for (const std::string& text : texts) {
    out.text += text;
    out.text.append(length - text.size(), '\0');
  }
  return out;
}

const void* find_data(const Stored& stored) {
  return stored.data != nullptr ? stored.data : stored.text.data();
}

Hdf5Id make_space(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return check(H5Screate(H5S_SCALAR));
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return check(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr));
}

std::vector<std::size_t> read_shape(const Hdf5Id& space) {
  std::vector<hsize_t> sizes(H5S_MAX_RANK);
  const int rank = H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.begin() + std::max(rank, 0)};
}

// --- reading one dataset or attribute ---

/// A dataset or an attribute that is open.
struct Source {
  std::string where;
  Hdf5Id id;
  bool is_attribute = false;

  [[nodiscard]] Hdf5Id find_type() const {
    return Hdf5Id(is_attribute ? H5Aget_type(id.get()) : H5Dget_type(id.get()));
  }
  [[nodiscard]] Hdf5Id find_space() const {
    return Hdf5Id(is_attribute ? H5Aget_space(id.get()) : H5Dget_space(id.get()));
  }
  void read(hid_t type, void* out) const {
    const herr_t status = is_attribute
                              ? H5Aread(id.get(), type, out)
                              : H5Dread(id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
    if (status < 0) throw InputError(where, "expected values, got damaged ones");
  }
  /// Values that lie plainly in this file: no filters, no other files.
  [[nodiscard]] bool is_plain() const {
    if (is_attribute) return true;
    const Hdf5Id options(H5Dget_create_plist(id.get()));
    const H5D_layout_t layout = H5Pget_layout(options.get());
    return (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
           H5Pget_external_count(options.get()) == 0;
  }
  /// Values that were never written take no room, and would be read as zeros.
  [[nodiscard]] bool is_stored(std::size_t bytes) const {
    return is_attribute || H5Dget_storage_size(id.get()) == bytes;
  }
};

/// Only the types that lie in memory as in the file: HDF5 trusts what a file says of others, and
/// converting them can write beyond the values.
enum class Kind { kDouble, kInteger, kText };

Kind find_kind(const Source& source, const Hdf5Id& type) {
  static_assert(std::endian::native == std::endian::little);
  if (H5Tequal(type.get(), H5T_IEEE_F64LE) > 0) return Kind::kDouble;
  if (H5Tequal(type.get(), H5T_STD_I64LE) > 0) return Kind::kInteger;
  if (H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0) {
    return Kind::kText;
  }
  throw InputError(source.where,
                   "expected doubles, whole numbers of 64 bit or texts of fixed length, got "
                   "another type");
}

/// What values there are, how many, and the bytes of one.
struct Extent {
  Kind kind = Kind::kDouble;
  std::vector<std::size_t> shape;
  std::size_t count = 1, size = 0;
};

/// Nothing that is read is larger than the file it is in.
Extent read_extent(const Source& source, const Hdf5Id& type, std::size_t byte_count) {
  // Plain first: to tell the shape of others HDF5 may look into other files.
  if (!type.is_valid() || !source.is_plain()) {
    throw InputError(source.where, "expected plain values, got something else");
  }
  const Kind kind = find_kind(source, type);
  const Hdf5Id space = source.find_space();
  if (!space.is_valid() || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    throw InputError(source.where, "expected plain values, got something else");
  }
  Extent out{kind, read_shape(space), 1, H5Tget_size(type.get())};
  std::size_t room = out.size == 0 ? 0 : byte_count / out.size;
  for (const std::size_t length : out.shape) {
    if (length > room) {
      throw InputError(source.where, "expected values that fit into the file, got a larger size");
    }
    out.count *= length;
    if (length > 0) room /= length;
  }
  if (room == 0 || !source.is_stored(out.count * out.size)) {
    throw InputError(source.where, "expected values that fit into the file, got a larger size");
  }
  return out;
}

template <class T>
std::vector<T> read_numbers(const Source& source, std::size_t count, hid_t type) {
  std::vector<T> out(count);
  if (count > 0) source.read(type, out.data());
  return out;
}

/// In the type that the file has, whatever padding that says.
std::vector<std::string> read_texts(const Source& source, const Extent& extent, hid_t type) {
  std::string all(extent.count * extent.size, '\0');
  if (extent.count > 0) source.read(type, all.data());
  std::vector<std::string> out;
  out.reserve(extent.count);
  for (std::size_t i = 0; i < extent.count; ++i) {
    const std::string text = all.substr(i * extent.size, extent.size);
    out.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return out;
}

Hdf5Array read_array(const Source& source, const Hdf5Id& type, const Extent& extent) {
  switch (extent.kind) {
    case Kind::kDouble:
      return {extent.shape, read_numbers<double>(source, extent.count, H5T_NATIVE_DOUBLE)};
    case Kind::kInteger:
      return {extent.shape, read_numbers<std::int64_t>(source, extent.count, H5T_NATIVE_INT64)};
    default:
      return {extent.shape, read_texts(source, extent, type.get())};
  }
}

extern "C" herr_t add_link_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/,
                                void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}
extern "C" herr_t add_attribute_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/,
                                     void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

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

void Hdf5Id::release() {
  if (id_ >= 0) H5Idec_ref(id_);
  id_ = -1;
}

Hdf5Session::Hdf5Session() : lock_(session_mutex()) {
  // At the end of a program that met a damaged file HDF5 would complain. Fails, and does no harm,
  // if it has been used before.
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &report_, &report_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Hdf5Session::~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, report_, report_data_); }

// --- writing ---

Hdf5Group Hdf5Group::add_group(const char* name) {
  const auto share = [](const Hdf5Id& id) {
    check_done(H5Iinc_ref(id.get()));
    return Hdf5Id(id.get());
  };
  return {check(H5Gcreate2(id_.get(), name, H5P_DEFAULT, group_options_.get(), H5P_DEFAULT)),
          share(group_options_), share(dataset_options_)};
}

void Hdf5Group::add(const char* name, const Hdf5Array& dataset) {
  const Stored stored = std::visit([](const auto& v) { return make_stored(v); }, dataset.values);
  const Hdf5Id space = make_space(dataset.shape);
  const Hdf5Id made = check(H5Dcreate2(id_.get(), name, stored.file_type, space.get(), H5P_DEFAULT,
                                       dataset_options_.get(), H5P_DEFAULT));
  if (H5Sget_simple_extent_npoints(space.get()) == 0) return;
  check_done(
      H5Dwrite(made.get(), stored.memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, find_data(stored)));
}

void Hdf5Group::set(const char* name, const Hdf5Array& attribute) {
  const Stored stored = std::visit([](const auto& v) { return make_stored(v); }, attribute.values);
  const Hdf5Id space = make_space(attribute.shape);
  const Hdf5Id made =
      check(H5Acreate2(id_.get(), name, stored.file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (H5Sget_simple_extent_npoints(space.get()) == 0) return;
  check_done(H5Awrite(made.get(), stored.memory_type, find_data(stored)));
}

Hdf5Writer::Hdf5Writer() : file_(make_file(image_)) {}

Hdf5Group Hdf5Writer::make_root() {
  return {check(H5Gopen2(file_.get(), "/", H5P_DEFAULT)), make_options(H5P_GROUP_CREATE),
          make_options(H5P_DATASET_CREATE)};
}

std::string Hdf5Writer::make_bytes() {
  file_.release();
  image_.resize(find_size(image_));
  return std::move(image_);
}

// --- reading ---

Hdf5Reader::Hdf5Reader(std::string file, const std::string& bytes)
    : file_name_(std::move(file)), byte_count_(bytes.size()), file_(open_file(file_name_, bytes)) {}

/// Room for what is read more than once: names of a model, a schema. Without a bound a file whose
/// groups are all one, or that contain themselves, is as large as anyone likes.
void Hdf5Reader::charge(std::size_t bytes) const {
  constexpr std::size_t kTimes = 4;
  charged_ += bytes;
  if (charged_ / kTimes <= byte_count_) return;
  throw InputError(file_name_, "expected each value under one name, got values with many names");
}

Hdf5Id Hdf5Reader::find(const std::string& path) const {
  constexpr std::size_t kHeader = 64;  // no object has less, with the link to it
  charge(kHeader);
  // Every name on the way belongs to an object of this file; other links lead anywhere.
  for (std::size_t end = path.find('/', 1); path != "/"; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    H5L_info_t link{};
    if (H5Lget_info(file_.get(), part.c_str(), &link, H5P_DEFAULT) < 0) return Hdf5Id(-1);
    if (link.type != H5L_TYPE_HARD) {
      throw InputError(file_name_ + ": " + part, "expected a part of the file, got a link");
    }
    if (end == std::string::npos) break;
  }
  Hdf5Id out(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT));
  H5O_info_t info{};
  if (!out.is_valid() || H5Oget_info2(out.get(), &info, H5O_INFO_HDR) < 0) return Hdf5Id(-1);
  constexpr unsigned kHeader18 = 2;
  if (info.hdr.version != kHeader18) {
    throw InputError(file_name_ + ": " + path, "expected HDF5 1.8's format, got an older one");
  }
  return out;
}

Hdf5Id Hdf5Reader::open(const std::string& path) const {
  Hdf5Id out = find(path);
  if (!out.is_valid()) throw InputError(file_name_, fmt::format("expected {}, got none", path));
  return out;
}

Hdf5Id Hdf5Reader::open_dataset(const std::string& path) const {
  Hdf5Id out = open(path);
  if (H5Iget_type(out.get()) == H5I_DATASET) return out;
  throw InputError(file_name_ + ": " + path, "expected values, got a group");
}

bool Hdf5Reader::has(const std::string& path) const { return find(path).is_valid(); }

bool Hdf5Reader::is_group(const std::string& path) const {
  return H5Iget_type(open(path).get()) == H5I_GROUP;
}

bool Hdf5Reader::has_attribute(const std::string& path, const std::string& name) const {
  return H5Aexists(open(path).get(), name.c_str()) > 0;
}

std::vector<std::string> Hdf5Reader::list(const std::string& path) const {
  std::vector<std::string> out;
  if (H5Literate(open(path).get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_link_name, &out) <
      0) {
    throw InputError(file_name_, fmt::format("expected a group {}, got something else", path));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> Hdf5Reader::list_attributes(const std::string& path) const {
  std::vector<std::string> out;
  if (H5Aiterate2(open(path).get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_attribute_name,
                  &out) < 0) {
    throw InputError(file_name_, fmt::format("expected attributes of {}, got damaged ones", path));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::size_t> Hdf5Reader::read_shape(const std::string& path) const {
  const Source source{file_name_ + ": " + path, open_dataset(path)};
  return read_extent(source, source.find_type(), byte_count_).shape;
}

Hdf5Array Hdf5Reader::read(const std::string& path) const {
  const Source source{file_name_ + ": " + path, open_dataset(path)};
  const Hdf5Id type = source.find_type();
  const Extent extent = read_extent(source, type, byte_count_);
  charge(extent.count * extent.size);
  return read_array(source, type, extent);
}

Hdf5Array Hdf5Reader::read_attribute(const std::string& path, const std::string& name) const {
  const Hdf5Id object = open(path);
  const Source source{fmt::format("{}: {}: {}", file_name_, path, name),
                      Hdf5Id(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT)), true};
  if (!source.id.is_valid()) throw InputError(source.where, "expected a value, got none");
  const Hdf5Id type = source.find_type();
  const Extent extent = read_extent(source, type, byte_count_);
  charge(extent.count * extent.size);
  return read_array(source, type, extent);
}

}  // namespace slipstick
