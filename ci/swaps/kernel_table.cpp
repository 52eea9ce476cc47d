// The kernel table of the program skinlight_swapped, whose claims ci/swaps.sh judges: a row of it is exchanged for another
// when SKINLIGHT_SWAP says so, "lbs/deform=lbs/standard,...", on the CPU, on the GPU and in counts of operations. It is
// linked before the library, whose own table then stays out. SKINLIGHT_ROWS names a file to which the rows asked for go.
#define kernel_row right_kernel_row
#define kernel_operations right_kernel_operations
#include "skinlight/skinning/kernel_table.cpp"  // NOLINT(bugprone-suspicious-include): one function of it is replaced
#undef kernel_row
#undef kernel_operations

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

namespace skinlight {

const KernelRow& kernel_row(Method method, NormalMode mode);
long kernel_operations(Method method, NormalMode mode, int slots);

namespace {

std::string name_of(const KernelRow& kernel) {
  return std::string(row(kernel.method).name).append("/").append(row(kernel.mode).name);
}

const KernelRow& named(const std::string& name) {
  for (const KernelRow& kernel : kernel_rows())
    if (name_of(kernel) == name) return kernel;
  throw InputError("", "SKINLIGHT_SWAP", "there is no row '" + name + "'");
}

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

const KernelRow& swapped(const KernelRow& kernel) {
  static const std::map<std::string, std::string> swaps = [] {
    std::map<std::string, std::string> read;
    std::istringstream text(variable("SKINLIGHT_SWAP"));
    for (std::string right, wrong; std::getline(text, right, '=') && std::getline(text, wrong, ',');)
      read[right] = wrong;
    return read;
  }();
  const auto found = swaps.find(name_of(kernel));
  return found == swaps.end() ? kernel : named(found->second);
}

void note(const KernelRow& kernel) {
  static const std::string file = variable("SKINLIGHT_ROWS");
  static std::mutex mutex;
  static std::set<std::string> noted;
  if (file.empty()) return;
  const std::lock_guard lock(mutex);
  if (noted.insert(name_of(kernel)).second) std::ofstream(file, std::ios::app) << name_of(kernel) << "\n";
}

}  // namespace

const KernelRow& kernel_row(Method method, NormalMode mode) {
  const KernelRow& right = right_kernel_row(method, mode);
  note(right);
  return swapped(right);
}

long kernel_operations(Method method, NormalMode mode, int slots) {
  const KernelRow& kernel = kernel_row(method, mode);
  return right_kernel_operations(kernel.method, kernel.mode, slots);
}

}  // namespace skinlight
