#pragma once

#include <unistd.h>

#include <string>
#include <system_error>

namespace slipstick {

/// An open file or directory, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(-1); }

  /// Closes what is open, and takes this one.
  void reset(int descriptor) {
    if (descriptor_ >= 0) (void)close(descriptor_);
    descriptor_ = descriptor;
  }

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

[[nodiscard]] inline std::string describe_errno(int code) {
  return std::generic_category().message(code);
}

}  // namespace slipstick
