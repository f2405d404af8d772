#include "slipstick/io/hdf5.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
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

Hdf5Id open_file(const std::string& name, const std::string& bytes) {
  const Hdf5Id access = make_memory_access();
  // HDF5 copies the bytes and does not change these.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  void* image = const_cast<char*>(bytes.data());
  if (!bytes.empty()) check_done(H5Pset_file_image(access.get(), image, bytes.size()));
  Hdf5Id out(H5Fopen(make_name().c_str(), H5F_ACC_RDONLY, access.get()));
  if (out.is_valid()) return out;
  const bool starts_well = bytes.starts_with("\x89HDF\r\n\x1a\n");
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
};

template <class T>
std::vector<T> read_numbers(const Source& source, std::size_t count, hid_t type) {
  std::vector<T> out(count);
  if (count > 0) source.read(type, out.data());
  return out;
}

std::vector<std::string> read_texts(const Source& source, std::size_t count, std::size_t length) {
  std::string all(count * length, '\0');
  if (count > 0) source.read(make_text_type(length).get(), all.data());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = all.substr(i * length, length);
    out.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return out;
}

/// Nothing that is read is larger than the file it is in.
Hdf5Array read_array(const Source& source, std::size_t byte_count) {
  const Hdf5Id type = source.find_type();
  const Hdf5Id space = source.find_space();
  if (!type.is_valid() || !space.is_valid() || !source.is_plain() ||
      H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    throw InputError(source.where, "expected plain values, got something else");
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const std::size_t size = H5Tget_size(type.get());
  if (count < 0 || size == 0 || static_cast<std::size_t>(count) > byte_count / size) {
    throw InputError(source.where, "expected values that fit into the file, got a larger size");
  }
  const auto n = static_cast<std::size_t>(count);
  Hdf5Array out{read_shape(space), {}};
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      out.values = read_numbers<double>(source, n, H5T_NATIVE_DOUBLE);
      return out;
    case H5T_INTEGER:
      out.values = read_numbers<std::int64_t>(source, n, H5T_NATIVE_INT64);
      return out;
    case H5T_STRING:
      if (H5Tis_variable_str(type.get()) == 0) {
        out.values = read_texts(source, n, size);
        return out;
      }
      [[fallthrough]];
    default:
      throw InputError(source.where, "expected numbers or texts of fixed length, got another type");
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

Hdf5Id Hdf5Reader::open(const std::string& path) const {
  Hdf5Id out(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT));
  if (!out.is_valid()) throw InputError(file_name_, fmt::format("expected {}, got none", path));
  return out;
}

bool Hdf5Reader::has(const std::string& path) const {
  return Hdf5Id(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT)).is_valid();
}

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

Hdf5Array Hdf5Reader::read(const std::string& path) const {
  Source source{file_name_ + ": " + path, open(path)};
  if (H5Iget_type(source.id.get()) != H5I_DATASET) {
    throw InputError(source.where, "expected values, got a group");
  }
  return read_array(source, byte_count_);
}

Hdf5Array Hdf5Reader::read_attribute(const std::string& path, const std::string& name) const {
  const Hdf5Id object = open(path);
  Source source{fmt::format("{}: {}: {}", file_name_, path, name),
                Hdf5Id(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT)), true};
  if (!source.id.is_valid()) throw InputError(source.where, "expected a value, got none");
  return read_array(source, byte_count_);
}

}  // namespace slipstick
