#include "skinlight/skinning/kernel_table.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "skinlight/core/counted.h"
#include "skinlight/core/error.h"
#include "skinlight/core/names.h"
#include "skinlight/skinning/block_loop.h"

namespace skinlight {

namespace {

template <class Kernel>
constexpr KernelRow row_of() {
  constexpr std::string_view kTerms = [] {
    if constexpr (requires { Kernel::terms_call; }) return Kernel::terms_call;
    return std::string_view();
  }();
  // Deform frames leave the side of the turned normal where the triangles do, and a guard would bring them back:
  // repro/study/deform_frames_test.cpp measures what it would make of them.
  constexpr bool guards = takes_guards<Kernel> && !Kernel::traits.reads.frames;
  return {Kernel::method, Kernel::mode, Kernel::traits, guards, Kernel::call, kTerms};
}

constexpr auto kKernels = [] {
  std::array<KernelRow, KernelTable::count> rows{};
  std::size_t i = 0;
  KernelTable::for_each([&]<class Kernel>(Kernel) { rows[i++] = row_of<Kernel>(); });
  return rows;
}();

constexpr auto kModes = [] {
  std::array<NormalMode, kKernels.size()> modes{};
  for (std::size_t i = 0; i < modes.size(); ++i) modes[i] = kKernels[i].mode;
  return modes;
}();

constexpr auto kMethods = [] {
  std::array<MethodRow, kMethodCount> rows{};
  for (std::size_t m = 0; m < rows.size(); ++m) {
    rows[m] = description(static_cast<Method>(m));
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < kKernels.size(); ++i)
      if (kKernels[i].method == rows[m].method) {
        if (end == 0) begin = i;
        end = i + 1;
      }
    rows[m].modes = std::span(kModes).subspan(begin, end - begin);
  }
  return rows;
}();

constexpr auto kNormalModes = [] {
  std::array<NormalModeRow, kNormalModeCount> rows{};
  for (std::size_t m = 0; m < rows.size(); ++m) rows[m] = description(static_cast<NormalMode>(m));
  return rows;
}();

constexpr bool has_kernel(Method method, NormalMode mode) {
  return std::any_of(kKernels.begin(), kKernels.end(),
                     [=](const KernelRow& kernel) { return kernel.method == method && kernel.mode == mode; });
}

static_assert(std::all_of(kMethods.begin(), kMethods.end(),
                          [](const MethodRow& m) {
                            return has_kernel(m.method, NormalMode::standard) &&
                                   has_kernel(m.method, m.derivative) &&
                                   std::all_of(m.modes.begin(), m.modes.end(),
                                               [&](NormalMode mode) { return has_kernel(m.method, mode); });
                          }),
              "a method lacks its kernels, or they do not stand together");
static_assert(std::all_of(kNormalModes.begin(), kNormalModes.end(),
                          [](const NormalModeRow& m) {
                            return std::any_of(kModes.begin(), kModes.end(),
                                               [&](NormalMode mode) { return mode == m.mode; });
                          }),
              "a normal mode has no kernel");

// description() says nothing of what is no enumerator.
static_assert(description(static_cast<Method>(kMethodCount)).name.empty(), "a method has no kernel");
static_assert(description(static_cast<NormalMode>(kNormalModeCount)).name.empty(),
              "a normal mode has no kernel");

template <class Kernel, int N>
long counted() {
  const KernelInput<Kernels<Counted, N>> in{};
  Counted::reset();
  unguarded<Kernel>(in);
  return Counted::operations();
}

}  // namespace

std::span<const MethodRow> methods() { return kMethods; }
std::span<const NormalModeRow> normal_modes() { return kNormalModes; }
std::span<const KernelRow> kernel_rows() { return kKernels; }

const MethodRow& row(Method method) { return kMethods[static_cast<std::size_t>(method)]; }
const NormalModeRow& row(NormalMode mode) { return kNormalModes[static_cast<std::size_t>(mode)]; }

const KernelRow& kernel_row(Method method, NormalMode mode) {
  std::string known;
  for (const KernelRow& k : kKernels) {
    if (k.method != method) continue;
    if (k.mode == mode) return k;
    known += (known.empty() ? "" : ", ") + std::string(row(k.mode).name);
  }
  throw InputError("", "skinning method '" + std::string(row(method).name) + "'",
                   "has no normal mode '" + std::string(row(mode).name) + "'; choose one of " + known);
}

Method method_from_name(std::string_view name) { return row_named(kMethods, name, "skinning method").method; }
NormalMode normal_mode_from_name(std::string_view name) {
  return row_named(kNormalModes, name, "normal mode").mode;
}

long kernel_operations(Method method, NormalMode mode, int slots) {
  kernel_row(method, mode);
  long operations = 0;
  KernelTable::for_each([&]<class Kernel>(Kernel) {
    if (Kernel::method != method || Kernel::mode != mode) return;
    operations = slots == 1   ? counted<Kernel, 1>()
                 : slots == 2 ? counted<Kernel, 2>()
                 : slots == 3 ? counted<Kernel, 3>()
                 : slots == 4 ? counted<Kernel, 4>()
                 : slots == 5 ? counted<Kernel, 5>()
                 : slots == 6 ? counted<Kernel, 6>()
                 : slots == 8 ? counted<Kernel, 8>()
                              : 0;
  });
  if (operations == 0) throw std::logic_error("no kernel of " + std::to_string(slots) + " slots is counted");
  return operations;
}

}  // namespace skinlight
