// The table of kernels: per skinning method and normal mode the formula that runs and all that the program has to know of
// it. The loops over vertices on the CPU (block_loop.h), the call in GLSL, what is validated, where guards act, the names
// on the command line and the operation counts come from here. A new method is a file in shaders/kernels/, its enumerator,
// its description and its kernels below; what is left out does not compile.
//
//   using K = Kernels<double, 4>;
//   K::PosedVertex v = K().lbs_deform(influences, factors, rest);
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "skinlight/core/glsl.h"

namespace skinlight {

// The kernels of shaders/kernels/ as C++: one text per formula, over any scalar: float and double; Dual (derivatives),
// Counted (operation counts), Pack (SIMD lanes); and those that tell how many digits are right: Wide and DoubleDouble
// (truth), Interval (bounds), Stochastic, Contracted, LowPrecision, VulkanFloat (other ways to round).
template <class Scalar, int Influences_>
struct Kernels {
  using real = Scalar;
  using boolean = decltype(real() < real());
  using vec3 = Vec3<real>;
  using mat3 = Mat3<real>;
  using mat4x3 = Mat4x3<real>;
  static constexpr int INFLUENCES = Influences_;
  static constexpr int FRAMES = 2;  // of DeformFrames: as shaders/include/kernel_prelude.glsl has it
  static constexpr real ratio(int n, int d) { return skinlight::ratio<real>(n, d); }
  // Of vectors that have a direction: within the range of float, whatever stands for it; doubles have a wider one.
  static real shortest_square() { return real(holds_doubles<real> ? 1e-300 : 1e-30); }
  static real longest_square() { return real(holds_doubles<real> ? 1e300 : 1e38); }

  // In the order of use.
  // clang-format off
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/morph.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"
#include "kernels/quaternion.glsl"
#include "kernels/turned.glsl"
#include "kernels/dqs.glsl"
#include "kernels/crs.glsl"
#include "kernels/sbs.glsl"
#include "kernels/log.glsl"
#include "kernels/dib.glsl"
#include "kernels/deform_frames.glsl"
  // clang-format on
};

enum class Method {
  lbs,  // linear blend skinning
  dqs,  // dual quaternion skinning [KCZO07]
  crs,  // optimised centres of rotation [LH16]: needs SkinData::centres
  sbs,  // spherical blend skinning [KZ05]
  log,  // log-matrix blending [Alexa02]
  dib,  // dual quaternion iterative blending [KCZO08]: logarithms about the dual quaternion blend
};

// How tangents and normals follow the positions.
enum class NormalMode {
  standard,            // T n0 [TPS14 Eq. 3]: what engines do
  inverse_transpose,   // J^-T n0 [TPS14 Eq. 2, 7]
  cofactors,           // co(J)^T n0 [MMG06 Eq. 3, 4]
  tangent_pair,        // (J t0) x (J b0) [TPS14 Eq. 8]
  deform_naive,        // deform factors as in [TPS14 Eq. 10]
  deform_eq13,         // deform factors, stable form as printed [TPS14 Eq. 13, 14]
  deform,              // the same with translations differenced first; for DQS the approximation of Sec. 4.5
  exact,               // deform factors in the derivative of the blended motion; LBS has it as `deform`
  smoothed,            // the same at weights averaged over the one-ring; positions keep their own
  exact_fixed_centre,  // CRS as if centres were the same all around: no gradient of theirs is stored
  deform_vectors,      // LBS: the posed triangles' own maps, averaged over the one-ring
  deform_frames,       // the other methods: nearly the same, through further blends of the bones
};

// What a bone is to a kernel.
enum class Mover {
  matrices,          // rest-to-pose transforms: KernelInput::x
  dual_quaternions,  // rigid motions, see rig/rigid_pose.h: KernelInput::y
  twists,            // their logarithms, see rig/twist.h: KernelInput::z
};

// The centre of rotation that a kernel turns about.
enum class CentreKind {
  none,
  of_vertex,    // SkinData::centres
  of_bone_set,  // spherical_centres(): one per set of bones and pose
};

// Which sign a kernel's normal still needs to point outwards.
enum class NormalSide {
  outward,      // none
  orientation,  // the pose's: bones that mirror turn cofactors inside out
  frame,        // the pose's orientation times the rest frame's handedness: t x b
};

// What a kernel reads besides the rest frame, bones, weights and the centre.
struct KernelReads {
  bool factors = false;            // alpha and beta
  bool factors_of_slot_0 = false;  // theirs too, which the stable forms do without
  bool smooth = false;             // the smooth weights
  bool gradients = false;          // of the weights
  bool vectors = false;            // deform vectors, in the place of the factors
  bool frames = false;             // deform frames, likewise
  bool frame_centres = false;      // theirs too
  bool centre_derivatives = false;
};

struct KernelTraits {
  KernelReads reads;
  Mover mover = Mover::matrices;
  CentreKind centre = CentreKind::none;
  NormalSide side = NormalSide::frame;
};

struct MethodRow {
  Method method;
  std::string_view name;   // command line, CSV, plots: "lbs"
  std::string_view label;  // for people: "Linear blend skinning"
  Mover mover;
  CentreKind centre;
  NormalMode derivative;   // the mode whose tangents are the derivative of the position
  std::string_view files;  // of shaders/: with what it includes, all that the kernels of the method need
  std::span<const NormalMode> modes = {};
};

struct NormalModeRow {
  NormalMode mode;
  std::string_view name;
  std::string_view label;
  std::string_view equation;
  NormalSide side;
  bool usual;  // worth a look on any character; the others are there to be compared with
};

// A method without a description is an error of the compiler (-Wswitch).
constexpr MethodRow description(Method method) {
  switch (method) {
    case Method::lbs:
      return {method,
              "lbs",
              "Linear blend skinning",
              Mover::matrices,
              CentreKind::none,
              NormalMode::deform,
              "kernels/deform_vectors.glsl"};
    case Method::dqs:
      return {method,
              "dqs",
              "Dual quaternion skinning",
              Mover::dual_quaternions,
              CentreKind::none,
              NormalMode::exact,
              "kernels/deform_frames.glsl"};
    case Method::crs:
      return {method,
              "crs",
              "Optimised centres of rotation",
              Mover::dual_quaternions,
              CentreKind::of_vertex,
              NormalMode::exact,
              "kernels/deform_frames.glsl"};
    case Method::sbs:
      return {method,
              "sbs",
              "Spherical blend skinning",
              Mover::dual_quaternions,
              CentreKind::of_bone_set,
              NormalMode::exact,
              "kernels/deform_frames.glsl"};
    case Method::log:
      return {method,
              "log",
              "Log-matrix blending",
              Mover::twists,
              CentreKind::none,
              NormalMode::exact,
              "kernels/deform_frames.glsl"};
    case Method::dib:
      return {method,
              "dib",
              "Dual quaternion iterative blending",
              Mover::dual_quaternions,
              CentreKind::none,
              NormalMode::exact,
              "kernels/dib.glsl"};
  }
  return {};
}

constexpr NormalModeRow description(NormalMode mode) {
  switch (mode) {
    case NormalMode::standard:
      return {mode, "standard", "standard", "TPS14 Eq. 3", NormalSide::outward, true};
    case NormalMode::inverse_transpose:
      return {mode,
              "inverse-transpose",
              "exact Jacobian, inverse transpose",
              "TPS14 Eq. 2, 7",
              NormalSide::outward,
              false};
    case NormalMode::cofactors:
      return {mode, "cofactors", "exact Jacobian, cofactors", "MMG06 Eq. 3, 4", NormalSide::orientation,
              false};
    case NormalMode::tangent_pair:
      return {mode, "tangent-pair", "exact Jacobian, tangent pair", "TPS14 Eq. 8", NormalSide::frame, false};
    case NormalMode::deform_naive:
      return {mode, "deform-naive", "deform factors, naive", "TPS14 Eq. 10", NormalSide::frame, false};
    case NormalMode::deform_eq13:
      return {mode, "deform-eq13", "deform factors, as printed", "TPS14 Eq. 13", NormalSide::frame, false};
    case NormalMode::deform:
      return {mode, "deform", "deform factors", "TPS14 Eq. 13", NormalSide::frame, true};
    case NormalMode::exact:
      return {
          mode, "exact", "deform factors, exact derivative", "derivative of the position", NormalSide::frame,
          true};
    case NormalMode::smoothed:
      return {mode,
              "smoothed",
              "exact derivative at smooth weights",
              "derivative of the position",
              NormalSide::frame,
              true};
    case NormalMode::exact_fixed_centre:
      return {mode,
              "exact-fixed-centre",
              "exact derivative, centres held",
              "derivative of the position",
              NormalSide::frame,
              false};
    case NormalMode::deform_vectors:
      return {
          mode, "deform-vectors", "deform vectors", "derivative along the posed triangles", NormalSide::frame,
          true};
    case NormalMode::deform_frames:
      return {
          mode, "deform-frames", "deform frames", "derivative along the posed triangles", NormalSide::frame,
          true};
  }
  return {};
}

// What a kernel is given at one vertex; it reads what its traits say, and the rest is not set. The members have the names
// of include/skinned_vertex.glsl.
template <class K>
struct KernelInput {
  typename K::RestVertex rest;  // for movers that are rigid: rest_scaled()
  typename K::Influences x;
  typename K::RigidInfluences y;
  typename K::TwistInfluences z;
  typename K::DeformFactors f;
  typename K::SmoothWeights mean;
  typename K::WeightGradients g;
  typename K::DeformVectors tau;
  typename K::DeformFrames frames;  // frames_scaled()
  typename K::Centre centre;        // of_vertex: centre_scaled(); of_bone_set: its derivatives are not set
};

// What the kernels below are made of. `call` is GLSL, in the names of KernelInput. A kernel gives either
//   run(in)         the posed vertex, unfinished, and besides, where guards act,
//   terms(in)       its tangents in the terms that guards shorten, or
//   derivative(in)  of the position, from which turned() and tangent_terms() give both.
template <Method method_, NormalMode mode_, KernelReads reads = KernelReads{}>
struct Of {
  static constexpr Method method = method_;
  static constexpr NormalMode mode = mode_;
  static constexpr KernelTraits traits = {reads, description(method).mover, description(method).centre,
                                          description(mode).side};
};

inline constexpr KernelReads kFactors{.factors = true}, kFactorsAndMean{.factors = true, .smooth = true},
    kGradients{.gradients = true};

struct LbsStandard : Of<Method::lbs, NormalMode::standard> {
  static constexpr std::string_view call = "lbs_standard(x, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_standard(in.x, in.rest);
  }
};

struct LbsInverseTranspose : Of<Method::lbs, NormalMode::inverse_transpose, kGradients> {
  static constexpr std::string_view call = "lbs_exact_inverse_transpose(x, g, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_exact_inverse_transpose(in.x, in.g, in.rest);
  }
};

struct LbsCofactors : Of<Method::lbs, NormalMode::cofactors, kGradients> {
  static constexpr std::string_view call = "lbs_exact_cofactors(x, g, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_exact_cofactors(in.x, in.g, in.rest);
  }
};

struct LbsTangentPair : Of<Method::lbs, NormalMode::tangent_pair, kGradients> {
  static constexpr std::string_view call = "lbs_exact_tangent_pair(x, g, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_exact_tangent_pair(in.x, in.g, in.rest);
  }
};

struct LbsDeformNaive
    : Of<Method::lbs, NormalMode::deform_naive, KernelReads{.factors = true, .factors_of_slot_0 = true}> {
  static constexpr std::string_view call = "lbs_deform_naive(x, f, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_deform_naive(in.x, in.f, in.rest);
  }
};

struct LbsDeformEq13 : Of<Method::lbs, NormalMode::deform_eq13, kFactors> {
  static constexpr std::string_view call = "lbs_deform_eq13(x, f, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_deform_eq13(in.x, in.f, in.rest);
  }
};

struct LbsDeform : Of<Method::lbs, NormalMode::deform, kFactors> {
  static constexpr std::string_view call = "lbs_deform(x, f, rest)",
                                    terms_call = "lbs_deform_terms(x, f, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_deform(in.x, in.f, in.rest);
  }
  template <class K>
  static auto terms(const KernelInput<K>& in) {
    return K().lbs_deform_terms(in.x, in.f, in.rest);
  }
};

struct LbsSmoothed : Of<Method::lbs, NormalMode::smoothed, kFactorsAndMean> {
  static constexpr std::string_view call = "lbs_smoothed(x, f, mean, rest)",
                                    terms_call = "lbs_smoothed_terms(x, f, mean, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_smoothed(in.x, in.f, in.mean, in.rest);
  }
  template <class K>
  static auto terms(const KernelInput<K>& in) {
    return K().lbs_smoothed_terms(in.x, in.f, in.mean, in.rest);
  }
};

struct LbsDeformVectors : Of<Method::lbs, NormalMode::deform_vectors, KernelReads{.vectors = true}> {
  static constexpr std::string_view call = "lbs_deform_vectors(x, tau, rest)",
                                    terms_call = "lbs_deform_vectors_terms(x, tau, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().lbs_deform_vectors(in.x, in.tau, in.rest);
  }
  template <class K>
  static auto terms(const KernelInput<K>& in) {
    return K().lbs_deform_vectors_terms(in.x, in.tau, in.rest);
  }
};

struct DqsStandard : Of<Method::dqs, NormalMode::standard> {
  static constexpr std::string_view call = "dqs_standard(y, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().dqs_standard(in.y, in.rest);
  }
};

struct DqsDeform : Of<Method::dqs, NormalMode::deform, kFactors> {
  static constexpr std::string_view call = "dqs_deform(y, f, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().dqs_deform(in.y, in.f, in.rest);
  }
};

struct DqsExact : Of<Method::dqs, NormalMode::exact, kFactors> {
  static constexpr std::string_view call = "dqs_exact(y, f, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().dqs_exact(in.y, in.f, in.rest.p);
  }
};

struct DqsSmoothed : Of<Method::dqs, NormalMode::smoothed, kFactorsAndMean> {
  static constexpr std::string_view call = "dqs_smoothed(y, f, mean, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().dqs_smoothed(in.y, in.f, in.mean, in.rest.p);
  }
};

struct DqsDeformFrames : Of<Method::dqs, NormalMode::deform_frames, KernelReads{.frames = true}> {
  static constexpr std::string_view call = "dqs_deform_frames(y, frames, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().dqs_deform_frames(in.y, in.frames, in.rest);
  }
};

struct CrsStandard : Of<Method::crs, NormalMode::standard> {
  static constexpr std::string_view call = "crs_standard(y, centre.c, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().crs_standard(in.y, in.centre.c, in.rest);
  }
};

struct CrsExactFixedCentre : Of<Method::crs, NormalMode::exact_fixed_centre, kFactors> {
  static constexpr std::string_view call = "crs_exact_fixed_centre(y, f, centre.c, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().crs_exact_fixed_centre(in.y, in.f, in.centre.c, in.rest.p);
  }
};

struct CrsExact
    : Of<Method::crs, NormalMode::exact, KernelReads{.factors = true, .centre_derivatives = true}> {
  static constexpr std::string_view call = "crs_exact(y, f, centre, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().crs_exact(in.y, in.f, in.centre, in.rest.p);
  }
};

struct CrsSmoothed : Of<Method::crs, NormalMode::smoothed,
                        KernelReads{.factors = true, .smooth = true, .centre_derivatives = true}> {
  static constexpr std::string_view call = "crs_smoothed(y, f, mean, centre, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().crs_smoothed(in.y, in.f, in.mean, in.centre, in.rest.p);
  }
};

struct CrsDeformFrames
    : Of<Method::crs, NormalMode::deform_frames, KernelReads{.frames = true, .frame_centres = true}> {
  static constexpr std::string_view call = "crs_deform_frames(y, frames, centre.c, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().crs_deform_frames(in.y, in.frames, in.centre.c, in.rest);
  }
};

struct SbsStandard : Of<Method::sbs, NormalMode::standard> {
  static constexpr std::string_view call = "sbs_standard(y, centre.c, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().sbs_standard(in.y, in.centre.c, in.rest);
  }
};

struct SbsExact : Of<Method::sbs, NormalMode::exact, kFactors> {
  static constexpr std::string_view call = "sbs_exact(y, f, centre.c, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().sbs_exact(in.y, in.f, in.centre.c, in.rest.p);
  }
};

struct SbsSmoothed : Of<Method::sbs, NormalMode::smoothed, kFactorsAndMean> {
  static constexpr std::string_view call = "sbs_smoothed(y, f, mean, centre.c, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().sbs_smoothed(in.y, in.f, in.mean, in.centre.c, in.rest.p);
  }
};

struct SbsDeformFrames : Of<Method::sbs, NormalMode::deform_frames, KernelReads{.frames = true}> {
  static constexpr std::string_view call = "sbs_deform_frames(y, frames, centre.c, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().sbs_deform_frames(in.y, in.frames, in.centre.c, in.rest);
  }
};

struct LogStandard : Of<Method::log, NormalMode::standard> {
  static constexpr std::string_view call = "log_standard(z, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().log_standard(in.z, in.rest);
  }
};

struct LogExact : Of<Method::log, NormalMode::exact, kFactors> {
  static constexpr std::string_view call = "log_exact(z, f, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().log_exact(in.z, in.f, in.rest.p);
  }
};

struct LogSmoothed : Of<Method::log, NormalMode::smoothed, kFactorsAndMean> {
  static constexpr std::string_view call = "log_smoothed(z, f, mean, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().log_smoothed(in.z, in.f, in.mean, in.rest.p);
  }
};

struct LogDeformFrames : Of<Method::log, NormalMode::deform_frames, KernelReads{.frames = true}> {
  static constexpr std::string_view call = "log_deform_frames(z, frames, rest)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().log_deform_frames(in.z, in.frames, in.rest);
  }
};

struct DibStandard : Of<Method::dib, NormalMode::standard> {
  static constexpr std::string_view call = "dib_standard(y, rest)";
  template <class K>
  static auto run(const KernelInput<K>& in) {
    return K().dib_standard(in.y, in.rest);
  }
};

struct DibExact : Of<Method::dib, NormalMode::exact, kFactors> {
  static constexpr std::string_view call = "dib_exact(y, f, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().dib_exact(in.y, in.f, in.rest.p);
  }
};

struct DibSmoothed : Of<Method::dib, NormalMode::smoothed, kFactorsAndMean> {
  static constexpr std::string_view call = "dib_smoothed(y, f, mean, rest.p)";
  template <class K>
  static auto derivative(const KernelInput<K>& in) {
    return K().dib_smoothed(in.y, in.f, in.mean, in.rest.p);
  }
};

template <class... Kernel>
struct KernelList {
  static constexpr int count = sizeof...(Kernel);
  // visit(Kernel()) of each, in their order.
  template <class Visit>
  static constexpr void for_each(Visit visit) {
    (visit(Kernel()), ...);
  }
};

// All of them; those of a method one after the other, in the order in which its modes are shown.
using KernelTable =
    KernelList<LbsStandard, LbsInverseTranspose, LbsCofactors, LbsTangentPair, LbsDeformNaive, LbsDeformEq13,
               LbsDeform, LbsSmoothed, LbsDeformVectors, DqsStandard, DqsDeform, DqsExact, DqsSmoothed,
               DqsDeformFrames, CrsStandard, CrsExactFixedCentre, CrsExact, CrsSmoothed, CrsDeformFrames,
               SbsStandard, SbsExact, SbsSmoothed, SbsDeformFrames, LogStandard, LogExact, LogSmoothed,
               LogDeformFrames, DibStandard, DibExact, DibSmoothed>;

// One more than the largest of the table's enumerators.
template <class EnumeratorOf>
constexpr std::size_t count_in_table(EnumeratorOf enumerator_of) {
  std::size_t count = 0;
  KernelTable::for_each([&](auto kernel) {
    const auto after = static_cast<std::size_t>(enumerator_of(kernel)) + 1;
    if (count < after) count = after;
  });
  return count;
}
inline constexpr std::size_t kMethodCount = count_in_table([](auto kernel) { return kernel.method; });
inline constexpr std::size_t kNormalModeCount = count_in_table([](auto kernel) { return kernel.mode; });

template <class Kernel, class K = Kernels<float, 1>>
inline constexpr bool gives_derivative = requires(const KernelInput<K>& in) {
  Kernel::derivative(in);
};

// Whether guards act on a kernel: where its tangents are T t0 and something that varying weights add.
template <class Kernel, class K = Kernels<float, 1>>
inline constexpr bool takes_guards = gives_derivative<Kernel> || requires(const KernelInput<K>& in) {
  Kernel::terms(in);
};

// A kernel as plain data.
struct KernelRow {
  Method method;
  NormalMode mode;
  KernelTraits traits;
  bool guards;  // takes_guards
  std::string_view
      call;  // GLSL that gives the posed vertex, or, where terms_call is empty and guards act, its
  std::string_view terms_call;  // derivative; what guards act on
};

std::span<const MethodRow> methods();
std::span<const NormalModeRow> normal_modes();
std::span<const KernelRow> kernel_rows();

const MethodRow& row(Method method);
const NormalModeRow& row(NormalMode mode);
// Throws InputError listing the modes that the method has when `mode` is none of them.
const KernelRow& kernel_row(Method method, NormalMode mode);

// Throw InputError listing the names that exist.
Method method_from_name(std::string_view name);
NormalMode normal_mode_from_name(std::string_view name);

// As [TPS14 Table 1] counts, for the kernel before finish(), over `slots` of 1, 2, 3, 4, 5, 6 or 8.
long kernel_operations(Method method, NormalMode mode, int slots);

}  // namespace skinlight
