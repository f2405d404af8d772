#include "slipstick/io/hdf5.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>

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

}  // namespace slipstick
