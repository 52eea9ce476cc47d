// A function of a table of pointers, as OpenGL's are, that is another one for a while.
#pragma once

namespace skinlight::test_replaced {

template <class F>
class Replaced {
 public:
  Replaced(F& place, F other) : place_(place), was_(place) { place = other; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() { place_ = was_; }

 private:
  F& place_;
  F was_;
};

}  // namespace skinlight::test_replaced
