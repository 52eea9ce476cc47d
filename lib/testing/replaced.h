// What a test replaces for a while: a function of a table of pointers, as those of OpenGL and EGL are.
#pragma once

#include <utility>

namespace skinlight::test_replaced {

template <class F>
class Replaced {
 public:
  Replaced(F& place, F other) : place_(place), was_(std::exchange(place, std::move(other))) {}
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() { place_ = std::move(was_); }

 private:
  F& place_;
  F was_;
};

}  // namespace skinlight::test_replaced
