// What benchmarks say about memory.
#pragma once

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>

#include <fstream>
#include <vector>

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight::bench {

// Of the whole process until now, or since forget_peak(), its program included.
inline double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// The peak counts anew from what the process holds now, which is returned. Linux only.
inline double forget_peak() {
  malloc_trim(0);  // freed memory goes back, or it would count as held
  std::ofstream("/proc/self/clear_refs") << 5;
  return peak_mib();
}

template <class T>
double mib(const std::vector<T>& values) {
  return static_cast<double>(values.size() * sizeof(T)) / (1024 * 1024);
}

// The arrays of the model that a file decodes to.
inline double decoded_mib(const RiggedMesh& m) {
  return mib(m.faces) + mib(m.p0) + mib(m.n0) + mib(m.t0) + mib(m.b0) + mib(m.handedness) +
         mib(m.frame_source) + mib(m.uv) + mib(m.bone) + mib(m.weight);
}

// Counters of a benchmark that is the first of its process to work on `mesh` or anything larger.
inline void count_memory(benchmark::State& state, const RiggedMesh& mesh) {
  state.counters["vertices"] = mesh.vertex_count();
  state.counters["decoded_MiB"] = decoded_mib(mesh);
  state.counters["peak_MiB"] = peak_mib();
  state.counters["peak/decoded"] = peak_mib() / decoded_mib(mesh);
}

}  // namespace skinlight::bench
