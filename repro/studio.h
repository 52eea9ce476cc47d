// Drawing for experiments: one GL context, one light, one camera per experiment.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "repro/dress.h"
#include "repro/experiment.h"
#include "repro/measure.h"
#include "skinlight/render/camera.h"
#include "skinlight/render/context.h"
#include "skinlight/render/gpu_skin.h"
#include "skinlight/render/image.h"
#include "skinlight/render/offscreen.h"

namespace skinlight::repro {

// Where the camera stands; shared by all pictures of one rig and pose so that they can be laid side by side.
struct Framing {
  Camera camera;
  int width = 0, height = 0;
};

std::vector<Vec3f> to_float(std::span<const Vec3d> v);

// The shot's camera, seeing every point of all `shapes`.
Framing framing_of(const Shot& shot, std::initializer_list<std::span<const Vec3f>> shapes);

// A rig in GPU memory that is skinned while it is drawn: no posed vertex comes back.
struct SkinnedRig {
  const GpuSkin& rig;
  const Pose& pose;
  SkinOptions options;
};

// What stands before the camera.
using Sight = std::variant<SkinnedRig, PosedMesh>;

class Studio {
 public:
  explicit Studio(Renderer renderer);
  ~Studio();

  // What rigs in GPU memory are made with.
  Context& context();

  std::string renderer_name() const;
  std::string renderer_version() const;

  // Skins on the GPU and captures what the vertex shader writes, for those who want the numbers.
  SkinnedMesh<float> skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                          const SkinOptions& options);
  Image8 shaded(const Sight& sight, const Framing& framing);
  Image8 shaded(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                const Framing& framing);
  // A mirror in a striped room: what shading hides of the normals.
  Image8 reflection(const Sight& sight, const Framing& framing, const Reflection& stripes = {});
  // Per-pixel angle between the normals of two things in the same place, with a legend.
  Image8 error_map(const Sight& sight, const Sight& truth, const Framing& framing, double max_degrees);
  // Per-pixel angle between the normals n and truth, with a legend.
  Image8 error_map(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                   std::span<const Vec3f> truth, const Framing& framing, double max_degrees);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A model in one frame: standard | deform factors | truth, shaded, and the error maps of the first two
// against the transported truth.
Image8 frame_row(const Character& model, const Dress& dress, const Clip& clip, double time, const Shot& shot,
                 Studio& studio);

}  // namespace skinlight::repro
