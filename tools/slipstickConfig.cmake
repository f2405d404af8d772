# What find_package(slipstick CONFIG) reads. The public headers include Eigen, and nothing else but the standard library.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3)
include(${CMAKE_CURRENT_LIST_DIR}/slipstickTargets.cmake)
