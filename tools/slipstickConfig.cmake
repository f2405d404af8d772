# What find_package(slipstick CONFIG) reads: a static library needs the libraries it was built on.
include(CMakeFindDependencyMacro)
find_dependency(Boost)
find_dependency(Eigen3)
find_dependency(fmt)
find_dependency(NLopt)
find_dependency(TBB)
find_dependency(tomlplusplus)
include(${CMAKE_CURRENT_LIST_DIR}/slipstickTargets.cmake)
