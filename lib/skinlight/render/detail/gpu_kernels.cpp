#include "skinlight/render/detail/gpu_kernels.h"

#include <string>

namespace skinlight {

namespace {

bool gives_the_derivative(const KernelRow& kernel) {
  bool gives = false;
  KernelTable::for_each([&]<class Kernel>(Kernel) {
    if (Kernel::method == kernel.method && Kernel::mode == kernel.mode && gives_derivative<Kernel>)
      gives = true;
  });
  return gives;
}

// The kernel, with the guard where it takes one, in the names of include/skinned_vertex.glsl.
std::string kernel_call(const KernelRow& kernel, Guard guard) {
  const std::string call(kernel.call);
  const bool derivative = gives_the_derivative(kernel);
  if (guard == Guard::none || !kernel.guards) return derivative ? "turned(" + call + ", rest)" : call;
  const std::string terms = derivative ? "tangent_terms(" + call + ", rest)" : std::string(kernel.terms_call);
  const std::string with = guard == Guard::test_then_fix ? ", guard_limit, guard_kept" : ", guard_limit";
  return "joined(" + std::string(row(guard).glsl) + "(" + terms + with + "))";
}

void append_texel(std::vector<float>& texels, Vec3d v) {
  for (const double value : {v.x, v.y, v.z, 0.0}) texels.push_back(static_cast<float>(value));
}

}  // namespace

std::vector<Define> kernel_defines(const SkinOptions& options) {
  const KernelRow& kernel = kernel_row(options.method, options.mode);
  const std::string quote = "\"";
  std::vector<Define> defines = {{"KERNEL", kernel_call(kernel, options.guard.guard)},
                                 {"KERNEL_FILE", quote + std::string(row(kernel.method).files) + quote}};
  const auto define = [&](bool wanted, const char* name) {
    if (wanted) defines.push_back({name, "1"});
  };
  define(kernel.traits.mover == Mover::dual_quaternions, "RIGID_BONES");
  define(kernel.traits.mover == Mover::twists, "TWIST_BONES");
  define(kernel.traits.centre == CentreKind::of_vertex, "VERTEX_CENTRES");
  define(kernel.traits.centre == CentreKind::of_bone_set, "SET_CENTRES");
  define(kernel.traits.reads.vectors, "DEFORM_VECTORS");
  define(kernel.traits.reads.frames, "DEFORM_FRAMES");
  return defines;
}

std::vector<float> centre_texels(const RiggedMesh& mesh, const RotationCentres& centres) {
  require_centres(mesh, &centres);
  std::vector<float> texels;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const VertexCentre centre = centre_of(mesh, centres, v);
    for (const Vec3d& value : {centre.c, centre.along_t, centre.along_b}) append_texel(texels, value);
  }
  return texels;
}

std::vector<float> vector_texels(const NormalRecord& vectors, int slots) {
  const std::size_t vertices = vectors.bone.size() / static_cast<std::size_t>(vectors.slots);
  std::vector<float> texels;
  texels.reserve(vertices * static_cast<std::size_t>(slots) * 12);
  for (int v = 0; v < static_cast<int>(vertices); ++v)
    for (int s = 0; s < slots; ++s) {
      const bool used = s < vectors.slots;
      const std::size_t i = vectors.at(v, used ? s : 0);
      const Vec3d t = used ? vectors.along_t[i] : Vec3d(0.0), b = used ? vectors.along_b[i] : Vec3d(0.0);
      for (const double value :
           {double(vectors.bone[i]), used ? vectors.weight[i] : 0.0, used ? vectors.alpha[i] : 0.0,
            used ? vectors.beta[i] : 0.0, t.x, t.y, t.z, 0.0, b.x, b.y, b.z, 0.0})
        texels.push_back(static_cast<float>(value));
    }
  return texels;
}

std::vector<float> frame_texels(const FrameRecord& frames, int slots) {
  const std::size_t vertices = frames.bone.size() / static_cast<std::size_t>(frames.slots);
  std::vector<float> texels;
  texels.reserve(vertices * static_cast<std::size_t>(4 * (slots + 3 * frames.frames)));
  const auto append = [&](Vec3d v, double w) {
    append_texel(texels, v);
    texels.back() = static_cast<float>(w);
  };
  for (int v = 0; v < static_cast<int>(vertices); ++v) {
    const auto offset = [&](int k, int s) { return frames.frame_offset[frames.at_offset(v, k, s)]; };
    for (int s = 0; s < slots; ++s) {
      const bool used = s < frames.slots;
      const std::size_t i = frames.at(v, used ? s : 0);
      append({double(frames.bone[i]), used ? frames.weight[i] : 0.0, used ? offset(0, s) : 0.0},
             used ? offset(1, s) : 0.0);
    }
    for (int k = 0; k < frames.frames; ++k) {
      const std::size_t i = frames.at_frame(v, k);
      append(frames.frame_t[i], frames.frame_alpha[i]);
      append(frames.frame_b[i], frames.frame_beta[i]);
      append(frames.frame_centre.empty() ? Vec3d(0.0) : frames.frame_centre[i], 0);
    }
  }
  return texels;
}

}  // namespace skinlight
