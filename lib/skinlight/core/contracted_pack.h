// Contracted (core/contracted.h), eight at once: lane by lane the same bits.
#pragma once

#include <cmath>

#include "skinlight/core/pack.h"

namespace skinlight {

// Tag: see core/pack.h.
template <class Tag = void>
class ContractedPack {
 public:
  static constexpr int kLanes = 8;
  using Floats = Pack<kLanes, float, Tag>;
  using Mask = typename Floats::Mask;

  ContractedPack() = default;
  explicit ContractedPack(double value) : ContractedPack(Floats(value)) {}
  static ContractedPack load(const float* from) { return ContractedPack(Floats::load(from)); }

  void store(float* to) const { v_.store(to); }

  friend ContractedPack operator*(ContractedPack a, ContractedPack b) {
    ContractedPack r;
    r.v_ = a.v_ * b.v_;
    r.a_ = a.v_;
    r.b_ = b.v_;
    for (auto& all : r.product_.v) all = ~decltype(all + all){};
    return r;
  }
  friend ContractedPack operator/(ContractedPack a, ContractedPack b) { return ContractedPack(a.v_ / b.v_); }
  friend ContractedPack operator+(ContractedPack a, ContractedPack b) {
    return ContractedPack(fused(select(a.product_, a.a_, b.a_), select(a.product_, a.b_, b.b_),
                                select(a.product_, b.v_, a.v_)));
  }
  friend ContractedPack operator-(ContractedPack a, ContractedPack b) { return a + -b; }
  friend ContractedPack operator-(ContractedPack a) {
    a.v_ = -a.v_;
    a.a_ = -a.a_;
    return a;
  }
  friend Mask operator<(ContractedPack a, ContractedPack b) { return a.v_ < b.v_; }
  friend Mask operator>(ContractedPack a, ContractedPack b) { return a.v_ > b.v_; }
  friend ContractedPack sqrt(ContractedPack a) { return ContractedPack(sqrt(a.v_)); }
  friend ContractedPack inversesqrt(ContractedPack a) { return ContractedPack(inversesqrt(a.v_)); }
  friend ContractedPack select(Mask c, ContractedPack a, ContractedPack b) {
    a.v_ = select(c, a.v_, b.v_);
    a.a_ = select(c, a.a_, b.a_);
    a.b_ = select(c, a.b_, b.b_);
    for (int i = 0; i < Floats::kRegisters; ++i)
      a.product_.v[i] = (c.v[i] & a.product_.v[i]) | (~c.v[i] & b.product_.v[i]);
    return a;
  }

 private:
  static Floats fused(Floats a, Floats b, const Floats& c) {
    for (int i = 0; i < Floats::kRegisters; ++i) {
#if defined(__FMA__)
      a.v[i] = (typename Floats::Native)_mm256_fmadd_ps((__m256)a.v[i], (__m256)b.v[i], (__m256)c.v[i]);
#else
      for (int l = 0; l < Floats::kPerRegister; ++l) a.v[i][l] = std::fma(a.v[i][l], b.v[i][l], c.v[i][l]);
#endif
    }
    return a;
  }
  // A number that is no product is one with 1, which sums then add without a second look.
  explicit ContractedPack(Floats v) : v_(v), a_(v), b_(1.0), product_{} {}

  Floats v_, a_, b_;  // the value, its factors
  Mask product_;      // where it is one of other factors than itself and 1
};

}  // namespace skinlight
