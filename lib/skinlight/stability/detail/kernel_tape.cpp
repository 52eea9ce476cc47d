#include "skinlight/stability/detail/kernel_tape.h"

#include <bit>
#include <utility>

#include "skinlight/stability/detail/run_case.h"

namespace skinlight::stability {

namespace {

// Numbers of a tape that is being recorded: inputs from 0, constants and what steps make from these on.
constexpr int kConstants = 1 << 24, kMade = 1 << 25;

// A number that is not known before the tape is run.
class Recorded {
 public:
  struct Mask {
    int at;
  };

  Recorded() : Recorded(0.0) {}
  explicit Recorded(double constant) {
    std::vector<double>& known = tape_->constants;
    std::size_t k = 0;
    while (k < known.size() &&
           std::bit_cast<std::uint64_t>(known[k]) != std::bit_cast<std::uint64_t>(constant))
      ++k;
    if (k == known.size()) known.push_back(constant);
    at_ = kConstants + static_cast<int>(k);
  }
  // Where operations of this thread are written from here on; null: there are none.
  static void write_to(KernelTape* tape) { tape_ = tape; }
  static Recorded input() { return numbered(tape_->inputs++); }
  static void stage(Stage stage) { write(TapeCode::stage, 0, static_cast<int>(stage)); }
  static void done(std::size_t subject, std::initializer_list<Vec3<Recorded>> result) {
    write(TapeCode::done, static_cast<int>(subject), static_cast<int>(tape_->results.size()));
    for (const Vec3<Recorded>& v : result)
      for (int axis = 0; axis < 3; ++axis) tape_->results.push_back(v[axis].at_);
  }

  friend Recorded operator+(Recorded a, Recorded b) { return made(TapeCode::sum, a, b); }
  friend Recorded operator-(Recorded a, Recorded b) { return made(TapeCode::difference, a, b); }
  friend Recorded operator*(Recorded a, Recorded b) { return made(TapeCode::product, a, b); }
  friend Recorded operator/(Recorded a, Recorded b) { return made(TapeCode::quotient, a, b); }
  friend Mask operator<(Recorded a, Recorded b) { return masked(TapeCode::less, a.at_, b.at_); }
  friend Mask operator>(Recorded a, Recorded b) { return b < a; }
  friend Mask operator&&(Mask a, Mask b) { return masked(TapeCode::both, a.at, b.at); }
  friend Recorded sqrt(Recorded a) { return made(TapeCode::root, a, a); }
  friend Recorded inversesqrt(Recorded a) { return made(TapeCode::inverse_root, a, a); }
  friend Recorded select(Mask c, Recorded a, Recorded b) { return made(TapeCode::choice, a, b, c.at); }

 private:
  static Recorded numbered(int at) {
    Recorded r(0.0);
    r.at_ = at;
    return r;
  }
  static void write(TapeCode code, int to, int a, int b = 0, int c = 0) {
    tape_->steps.push_back({code, to, a, b, c});
  }
  static Recorded made(TapeCode code, Recorded a, Recorded b, int c = 0) {
    const Recorded r = numbered(kMade + tape_->registers++);
    write(code, r.at_, a.at_, b.at_, c);
    return r;
  }
  static Mask masked(TapeCode code, int a, int b) {
    write(code, tape_->masks, a, b);
    return {tape_->masks++};
  }

  int at_;
  static inline constinit thread_local KernelTape* tape_ = nullptr;
};

// What run_case.h asks of cases of any other scalar.
struct RecordedGuard {
  Recorded limit, kept;
};
struct RecordedCase : BasicVertexCase<Recorded> {
  std::vector<RecordedGuard> guard;  // of each of guards()
  std::vector<Recorded> side;        // of each NormalSide
};
RecordedGuard case_guard(const BasicVertexCase<Recorded>& c, Guard guard) {
  return static_cast<const RecordedCase&>(c).guard[static_cast<std::size_t>(guard)];
}

// In the order of their enumerators, as guards() are.
constexpr NormalSide kSides[] = {NormalSide::outward, NormalSide::orientation, NormalSide::frame};

// The numbers that a step reads: visit(number), by reference.
template <class Visit>
void visit_operands(KernelTape& tape, TapeStep& step, Visit visit) {
  if (step.code == TapeCode::done)
    for (int i = step.a; i < step.a + kResultNumbers; ++i) visit(tape.results[static_cast<std::size_t>(i)]);
  else if (step.code != TapeCode::both && step.code != TapeCode::stage)
    for (int* operand : {&step.a, &step.b}) visit(*operand);
}

// Gives numbers their registers: each its own, until it has been read for the last time.
void share_registers(KernelTape& tape) {
  std::vector<int> last(static_cast<std::size_t>(tape.registers), -1), at(last.size()), free;
  const auto made = [](int number) { return static_cast<std::size_t>(number - kMade); };
  for (std::size_t i = 0; i < tape.steps.size(); ++i)
    visit_operands(tape, tape.steps[i], [&](int number) {
      if (number >= kMade) last[made(number)] = static_cast<int>(i);
    });
  tape.registers = tape.inputs + static_cast<int>(tape.constants.size());
  for (std::size_t i = 0; i < tape.steps.size(); ++i) {
    TapeStep& step = tape.steps[i];
    const auto release = [&](std::size_t number) {
      if (last[number] > static_cast<int>(i)) return;
      free.push_back(at[number]);
      last[number] = static_cast<int>(tape.steps.size());  // once, if it is read twice
    };
    visit_operands(tape, step, [&](int& number) {
      if (number < kConstants) return;
      if (number < kMade) {
        number += tape.inputs - kConstants;
      } else {
        const std::size_t read = made(number);
        number = at[read];
        release(read);
      }
    });
    if (step.to < kMade) continue;
    const std::size_t number = made(step.to);
    if (free.empty()) {
      at[number] = tape.registers++;
    } else {
      at[number] = free.back();
      free.pop_back();
    }
    step.to = at[number];
    release(number);
  }
}

}  // namespace

KernelTape kernel_tape(std::span<const Subject> chosen, int slots) {
  KernelTape tape;
  tape.subjects = static_cast<int>(chosen.size());
  Recorded::write_to(&tape);
  RecordedCase c;
  c.slots = slots;
  for_each_float(c, {}, [](Recorded& x) { x = Recorded::input(); });
  for (std::size_t i = 0; i < guards().size(); ++i) c.guard.push_back({Recorded::input(), Recorded::input()});
  for (std::size_t i = 0; i < std::size(kSides); ++i) c.side.push_back(Recorded::input());
  const BasicVertexCase<Recorded>& floats = c;
  with_case_kernels<Recorded>(floats, [&](auto kernels) {
    using K = decltype(kernels);
    run_subjects<K>(
        floats, chosen, Recorded::stage,
        [&](std::size_t i, const typename K::PosedVertex& posed, const typename K::RestVertex& rest) {
          const auto side = static_cast<std::size_t>(row(chosen[i].mode).side);
          const typename K::PosedVertex v = K().finish(posed, rest, c.side[side]);
          Recorded::done(i, {v.p, v.t, v.b, v.n});
        });
  });
  Recorded::write_to(nullptr);
  share_registers(tape);
  return tape;
}

void put_tape_inputs(const VertexCase& c, float* to, std::size_t stride) {
  const auto put = [&](double x) {
    *to = static_cast<float>(x);
    to += stride;
  };
  for_each_float(c, {}, put);
  for (const GuardRow& guard : guards()) {
    const GuardInput with = case_guard(c, guard.guard);
    put(with.limit);
    put(with.kept);
  }
  for (const NormalSide side : kSides) put(case_side(c, side));
}

}  // namespace skinlight::stability
