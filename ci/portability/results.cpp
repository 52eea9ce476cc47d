// What kernels make of the cases of the record, as bytes that compilers and machines can be compared by: built by
// ci/portability.sh from the sources it names, for whatever machine.
//   results SCALAR CASES FILE [ROUNDING]
// prints a digest of every regime's drawn inputs and of its results, and writes the normals that normals.h describes.
#include <cfenv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "ci/portability/normals.h"
#include "skinlight/core/sha256.h"
#include "skinlight/stability/detail/kernel_tape.h"
#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/regimes.h"

namespace {

using namespace skinlight;
using namespace skinlight::stability;

using Replay = void (*)(const KernelTape&, std::span<const VertexCase>, std::span<Result>);

// `value` at the end of `bytes`; every NaN by the same bytes, which machines choose differently.
template <class T>
void append(std::string& bytes, T value) {
  const T one = std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
  char raw[sizeof one];
  std::memcpy(raw, &one, sizeof one);
  bytes.append(raw, sizeof one);
}

// How the float kernels round from here on, while inputs are drawn to nearest.
class Rounding {
 public:
  explicit Rounding(const std::string& name) : flush_(name == "flush") {
    const std::map<std::string, int> modes = {{"nearest", FE_TONEAREST},
                                              {"flush", FE_TONEAREST},
                                              {"up", FE_UPWARD},
                                              {"down", FE_DOWNWARD},
                                              {"zero", FE_TOWARDZERO}};
    mode_ = modes.at(name);
  }
  template <class Work>
  void in(Work work) const {
    std::fesetround(mode_);
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr();
    if (flush_) _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
#endif
    work();
#if defined(__x86_64__)
    _mm_setcsr(before);
#endif
    std::fesetround(FE_TONEAREST);
  }

 private:
  int mode_;
  bool flush_;
};

void run(const std::string& scalar, int cases, const std::string& file, const Rounding& rounding) {
  const std::map<std::string, Replay> replays = {
      {"half", replay_half}, {"vulkan", replay_vulkan}, {"stochastic", replay_stochastic}};
  const std::vector<Subject> chosen = portable_subjects();
  const KernelTapes tapes(chosen);
  const auto run = [&](const VertexCase& c, std::span<Result> to) {
    if (scalar == "float")
      run_case<float>(c, chosen, to);
    else
      replays.at(scalar)(tapes.of(c), std::span(&c, 1), to);
  };
  std::vector<Result> results(chosen.size());
  std::ofstream out(file, std::ios::binary);
  for (const Regime& regime : regimes()) {
    std::string inputs, bytes, normals;
    for (int i = 0; i < cases; ++i) {
      const VertexCase c = draw(regime, i);
      for_each_float(c, {}, [&](float x) { append(inputs, x); });
      rounding.in([&] { run(c, results); });
      for (const Result& r : results) {
        for (const Vec3d& v : {r.p, r.t, r.b, r.n})
          for (int k = 0; k < 3; ++k) append(bytes, v[k]);
        for (int k = 0; k < 3; ++k) append(normals, static_cast<float>(r.n[k]));
      }
    }
    out << normals;
    std::printf("%s inputs %s\n%s %s %s\n", regime.name.data(), sha256(inputs).c_str(), regime.name.data(),
                scalar.c_str(), sha256(bytes).c_str());
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: results float|half|vulkan|stochastic CASES FILE [nearest|flush|up|down|zero]\n");
    return 2;
  }
  try {
    run(argv[1], std::stoi(argv[2]), argv[3], Rounding(argc > 4 ? argv[4] : "nearest"));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "results: %s\n", e.what());
    return 2;
  }
}
