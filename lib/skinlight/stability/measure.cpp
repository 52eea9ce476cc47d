#include "skinlight/stability/measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skinlight/core/cpu.h"
#include "skinlight/core/parallel.h"
#include "skinlight/stability/detail/errors.h"
#include "skinlight/stability/detail/kernel_tape.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

// Cases that one thread takes at a time.
constexpr int kBlock = 5 * static_cast<int>(kCaseLanes);

// Those of the table that are chosen, or all: stages have regimes and a scalar of their own.
template <class Row>
std::vector<const Row*> all_or(const std::vector<const Row*>& chosen, std::span<const Row> all) {
  std::vector<const Row*> rows;
  for (const Row& row : all)
    if (chosen.empty() || std::find(chosen.begin(), chosen.end(), &row) != chosen.end()) rows.push_back(&row);
  return rows;
}

// In the order of the table, so that guards share the terms of their mode.
std::vector<Subject> in_order(const std::vector<const Subject*>& chosen) {
  std::vector<Subject> copy;
  for (const Subject& s : subjects())
    if (std::find(chosen.begin(), chosen.end(), &s) != chosen.end()) copy.push_back(s);
  return copy;
}

// Digits are of directions: a vector of another length than 1 is none at all.
bool missed(const ScalarRow& scalar, Quantity quantity, const Result& result) {
  const auto unit = [&](const Vec3d& v) { return std::abs(length(v) - 1) <= scalar.length; };
  return result.miss || (quantity == Quantity::normal && !unit(result.n)) ||
         (quantity == Quantity::tangents && !(unit(result.t) && unit(result.b)));
}

// Subjects on cases in each of the scalars.
class CaseRun {
 public:
  // tapes: of the same subjects.
  CaseRun(std::span<const Subject> chosen, const KernelTapes& tapes, std::span<const ScalarRow* const> over)
      : chosen_(chosen),
        tapes_(tapes),
        over_(over),
        avx2_(best_instruction_set() == InstructionSet::avx2),
        results_(over.size() * kCaseLanes * chosen.size()),
        errors_(over.size() * chosen.size() * kQuantityCount) {}

  // Calls found(index of the case, of the scalar, of the subject, quantity, digits) for each cell.
  template <class Found>
  void operator()(std::span<const VertexCase> cases, Found found) {
    for (std::size_t begin = 0; begin < cases.size(); begin += kCaseLanes) {
      const auto of = cases.subspan(begin, std::min(kCaseLanes, cases.size() - begin));
      run(of);
      for (std::size_t i = 0; i < of.size(); ++i) compare(of[i], i, begin + i, found);
    }
  }

 private:
  // Of a scalar.
  std::span<Result> results(std::size_t scalar) {
    return std::span(results_).subspan(scalar * kCaseLanes * chosen_.size(), kCaseLanes * chosen_.size());
  }

  // At most kCaseLanes.
  void run(std::span<const VertexCase> cases) {
    const bool together = avx2_ && cases.size() == kCaseLanes &&
                          std::all_of(cases.begin(), cases.end(),
                                      [&](const VertexCase& c) { return c.slots == cases[0].slots; });
    for (std::size_t s = 0; s < over_.size(); ++s)
      if (together && over_[s]->replay_avx2)
        over_[s]->replay_avx2(tapes_.of(cases[0]), cases, results(s));
      else
        for (std::size_t i = 0; i < cases.size(); ++i)
          run_one(*over_[s], cases.subspan(i, 1), results(s).subspan(i * chosen_.size(), chosen_.size()));
  }

  void run_one(const ScalarRow& scalar, std::span<const VertexCase> c, std::span<Result> to) const {
    if (scalar.run)
      scalar.run(c[0], chosen_, to);
    else
      scalar.replay(tapes_.of(c[0]), c, to);
  }

  template <class Found>
  void compare(const VertexCase& c, std::size_t lane, std::size_t index, Found& found) {
    std::vector<Asked> asked;
    for (std::size_t s = 0; s < over_.size(); ++s)
      asked.push_back({over_[s], results(s).subspan(lane * chosen_.size(), chosen_.size())});
    (avx2_ ? errors_avx2 : errors_baseline)(c, chosen_, asked, errors_);
    for (std::size_t s = 0, i = 0; s < asked.size(); ++s)
      for (std::size_t k = 0; k < chosen_.size(); ++k)
        for (std::size_t q = 0; q < kQuantityCount; ++q, ++i) {
          const ScalarRow& scalar = *asked[s].scalar;
          const auto quantity = static_cast<Quantity>(q);
          if (exists(chosen_[k], scalar, quantity))
            found(index, s, k, quantity,
                  missed(scalar, quantity, asked[s].results[k]) ? kMissDigits : digits_of(errors_[i]));
        }
  }

  std::span<const Subject> chosen_;
  const KernelTapes& tapes_;
  std::span<const ScalarRow* const> over_;
  bool avx2_;
  std::vector<Result> results_;  // [scalar][case][subject]
  std::vector<double> errors_;
};

CellDigits summary(const Cell& cell, const std::vector<float>& digits) {
  std::vector<int> order(digits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto worse = [&](int a, int b) {
    const float x = digits[static_cast<std::size_t>(a)], y = digits[static_cast<std::size_t>(b)];
    return x < y || (x == y && a < b);
  };
  const std::size_t last = digits.size() / 100;
  const std::size_t chance = cell.scalar->random ? static_cast<std::size_t>(3 * std::sqrt(last)) : 0;
  const std::size_t kept = std::min(digits.size(), std::max<std::size_t>(last + chance + 1, kWorst));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), worse);
  CellDigits out{cell,
                 0,
                 digits[static_cast<std::size_t>(order[last])],
                 digits[static_cast<std::size_t>(order[std::min(last + chance, digits.size() - 1)])],
                 {},
                 {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(kWorst, kept); ++i) {
    out.worst.push_back(order[i]);
    out.worst_digits.push_back(digits[static_cast<std::size_t>(order[i])]);
  }
  std::vector<float> sorted = digits;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  out.p50 = *middle;
  return out;
}

}  // namespace

bool exists(const Subject& subject, const ScalarRow& scalar, Quantity quantity) {
  if (subject.rival && scalar.name != "float") return false;
  if (quantity == Quantity::normal) return true;
  return scalar.all_quantities && (quantity == Quantity::tangents || subject.guard == Guard::none);
}

double case_size(const VertexCase& c) {
  double size = 0;
  for (int s = 0; s < c.slots; ++s) {
    const Vec3d p = transform_point(Mat4x3d(c.bone[s]), Vec3d(c.p));
    size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  return size;
}

std::string Cell::id() const {
  std::string suffix;
  for (const QuantityRow& row : stability::quantities())
    if (row.quantity == quantity) suffix = row.suffix;
  return subject->name + suffix + "/" + std::string(regime->name) + "/" + std::string(scalar->name);
}

std::vector<Cell> cells(const Selection& selection) {
  std::vector<Cell> all;
  for (const Subject* subject : all_or(selection.subjects, subjects()))
    for (const Regime* regime : all_or(selection.regimes, regimes()))
      for (const ScalarRow* scalar : all_or(selection.scalars, scalars()))
        for (const QuantityRow& q : quantities())
          if (exists(*subject, *scalar, q.quantity) &&
              (selection.quantities || q.quantity == Quantity::normal))
            all.push_back({subject, regime, scalar, q.quantity});
  const std::vector<Cell> of_stages = stage_cells(selection);
  all.insert(all.end(), of_stages.begin(), of_stages.end());
  return all;
}

std::vector<CellDigits> measure(const Selection& selection, int cases, int threads,
                                const std::function<void(int, int)>& regimes_done) {
  const std::vector<Cell> all = cells(selection);
  const std::vector<Subject> chosen = in_order(all_or(selection.subjects, subjects()));
  const std::vector<const Regime*> in = all_or(selection.regimes, regimes());
  const std::vector<const ScalarRow*> over = all_or(selection.scalars, scalars());
  const KernelTapes tapes(chosen);
  std::vector<CellDigits> out(all.size());

  for (std::size_t r = 0; r < in.size() && !chosen.empty() && !over.empty(); ++r) {
    // [scalar][subject][quantity][case]
    const auto count = static_cast<std::size_t>(cases);
    std::vector<std::vector<float>> found(over.size() * chosen.size() * kQuantityCount,
                                          std::vector<float>(count));
    const auto at = [&](std::size_t scalar, std::size_t subject,
                        std::size_t quantity) -> std::vector<float>& {
      return found[(scalar * chosen.size() + subject) * kQuantityCount + quantity];
    };
    parallel_for((cases + kBlock - 1) / kBlock, threads, [&](int first, int last) {
      CaseRun run(chosen, tapes, over);
      for (int block = first; block < last; ++block) {
        std::vector<VertexCase> drawn;
        for (int i = block * kBlock; i < std::min((block + 1) * kBlock, cases); ++i)
          drawn.push_back(draw(*in[r], i));
        run(drawn,
            [&](std::size_t i, std::size_t scalar, std::size_t subject, Quantity quantity, double digits) {
              at(scalar, subject,
                 static_cast<std::size_t>(quantity))[static_cast<std::size_t>(block * kBlock) + i] =
                  static_cast<float>(digits);
            });
      }
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].regime != in[r]) continue;
      const auto subject = static_cast<std::size_t>(
          std::find_if(chosen.begin(), chosen.end(),
                       [&](const Subject& s) { return s.name == all[i].subject->name; }) -
          chosen.begin());
      const auto scalar =
          static_cast<std::size_t>(std::find(over.begin(), over.end(), all[i].scalar) - over.begin());
      out[i] = summary(all[i], at(scalar, subject, static_cast<std::size_t>(all[i].quantity)));
    }
    if (regimes_done) regimes_done(static_cast<int>(r) + 1, static_cast<int>(in.size()));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].scalar == &stage_scalar()) {
      const std::vector<double> digits = measure_stage(all[i], cases, threads);
      out[i] = summary(all[i], {digits.begin(), digits.end()});
    }
  return out;
}

std::vector<double> measure_cases(const Cell& cell, std::span<const VertexCase> cases) {
  std::vector<double> out;
  const KernelTapes tapes(std::span(cell.subject, 1));
  CaseRun run(std::span(cell.subject, 1), tapes, std::span(&cell.scalar, 1));
  run(cases, [&](std::size_t, std::size_t, std::size_t, Quantity quantity, double digits) {
    if (quantity == cell.quantity) out.push_back(digits);
  });
  return out;
}

}  // namespace skinlight::stability
