// One function a scalar.
#pragma once

#include "skinlight/stability/scalars.h"

namespace skinlight::stability {

// Compiled from the kernels, in files of their own: what compilers make of floats is what is measured.
void run_float(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);
void run_fast_math(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results);

// Replayed from their tape. results: [case][subject].
void replay_contracted(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);
void replay_vulkan(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);
void replay_half(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);
// Once, of many roundings.
void replay_stochastic(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);

// The same bits, kCaseLanes cases at once. On machines with AVX2 alone.
void replay_contracted_avx2(const KernelTape& tape, std::span<const VertexCase> cases,
                            std::span<Result> results);
void replay_vulkan_avx2(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);
void replay_half_avx2(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results);

// The rival: J^-T n0 with Eigen.
Result run_eigen_loop(const VertexCase& c);

}  // namespace skinlight::stability
