# HDF5's C library as hdf5::hdf5. CMake's own module wants the language C, and links what HDF5 itself links.
find_path(SerialHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SerialHDF5_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(SerialHDF5_INCLUDE_DIR SerialHDF5_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialHDF5 REQUIRED_VARS SerialHDF5_LIBRARY SerialHDF5_INCLUDE_DIR)
if(SerialHDF5_FOUND AND NOT TARGET hdf5::hdf5)
  add_library(hdf5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(hdf5::hdf5 PROPERTIES
    IMPORTED_LOCATION ${SerialHDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SerialHDF5_INCLUDE_DIR})
endif()
