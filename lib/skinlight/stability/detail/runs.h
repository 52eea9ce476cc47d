// One function a scalar, in a file of its own: many kernels each.
#pragma once

#include "skinlight/stability/detail/run_case.h"

namespace skinlight::stability {

void run_float(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
void run_fast_math(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
void run_contracted(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
void run_vulkan(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
void run_half(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
// Once, of many roundings.
void run_stochastic(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);

// The same of kCaseLanes cases at once, of the same number of slots: results [case][subject]. On machines with AVX2 alone.
void run_contracted_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                         std::span<Result> results);
void run_vulkan_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                     std::span<Result> results);
void run_half_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                   std::span<Result> results);

// The rival: J^-T n0 with Eigen.
Result run_eigen_loop(const VertexCase& c);

}  // namespace skinlight::stability
