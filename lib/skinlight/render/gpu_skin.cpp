#include "skinlight/render/gpu_skin.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/context_cache.h"
#include "skinlight/render/detail/gpu_kernels.h"
#include "skinlight/skinning/detail/pose_reader.h"
#include "skinlight/skinning/detail/requirements.h"

namespace skinlight {

namespace {

// A vertex attribute, or `elements` of them that the shader declares as an array: per vertex one after
// another.
struct Attribute {
  std::string name;  // as glGetAttribLocation() wants it
  int components;
  int elements;
  GLenum type;
  GlObject buffer;
};

template <class T>
Attribute attribute(std::string name, int components, int elements, const std::vector<T>& values) {
  return {std::move(name), components, elements, std::is_integral_v<T> ? GL_INT : GL_FLOAT,
          make_filled_buffer(GL_ARRAY_BUFFER, std::span<const T>(values))};
}

// A vector per vertex and, as a fourth component, `w(vertex)`.
template <class W>
Attribute vectors(std::string name, const std::vector<Vec3d>& values, W w) {
  std::vector<float> components;
  components.reserve(4 * values.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    for (const double value : {values[v].x, values[v].y, values[v].z, w(v)})
      components.push_back(static_cast<float>(value));
  return attribute(std::move(name), 4, 1, components);
}

// Four slots per attribute. Slots beyond the vertices' own hold `padding(vertex)`.
template <class T, class U, class Padding>
Attribute slot_groups(std::string name, const VertexSlots& own, int slots, int vertices,
                      std::span<const U> values, Padding padding) {
  const int groups = (slots + 3) / 4;
  std::vector<T> padded;
  padded.reserve(static_cast<std::size_t>(vertices) * static_cast<std::size_t>(4 * groups));
  for (int v = 0; v < vertices; ++v)
    for (int s = 0; s < 4 * groups; ++s)
      padded.push_back(s < own.slots ? static_cast<T>(values[own.at(v, s)]) : padding(v));
  return attribute(std::move(name), 4, groups, padded);
}

// Throws InputError naming `what` when the renderer has no buffer texture of that many texels.
void require_texels(std::size_t texels, const char* what) {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &limit);
  if (texels > static_cast<std::size_t>(limit))
    throw InputError("", what,
                     "take " + std::to_string(texels) + " texels, the renderer has " + std::to_string(limit));
}

constexpr std::size_t kTexelBytes = 4 * sizeof(float);  // of GL_RGBA32F

// The buffer as a texture of four floats each, on a texture unit.
GlObject bound_buffer_texture(int unit, const GlObject& buffer) {
  GlObject texture = make_texture();
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_BUFFER, texture.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer.id());
  return texture;
}

// What a pose is to include/skinned_vertex.glsl.
struct PoseTexels {
  std::vector<float> bones;    // the bones of each group of vertices; then per group a texel
  std::vector<float> centres;  // of each group
  int group_texel = 0;
  int group_bones = 0, group_centres = 0;  // texels from one group to the next
};

PoseTexels pose_texels(const PreparedPose<float>& pose, NormalSide side) {
  PoseTexels texels;
  texels.group_bones = static_cast<int>(pose.groups.front().bones.size() / 4);
  texels.group_centres = static_cast<int>(pose.groups.front().centres.size() / 4);
  for (const PreparedGroup<float>& group : pose.groups) {
    texels.bones.insert(texels.bones.end(), group.bones.begin(), group.bones.end());
    texels.centres.insert(texels.centres.end(), group.centres.begin(), group.centres.end());
  }
  texels.group_texel = static_cast<int>(texels.bones.size() / 4);
  for (const PreparedGroup<float>& group : pose.groups) {
    // normal_side() is linear in the handedness.
    const double at_plus = normal_side(side, 1, group.orientation),
                 at_minus = normal_side(side, -1, group.orientation);
    for (const double value :
         {0.5 * (at_plus + at_minus), 0.5 * (at_plus - at_minus), group.scale, group.guard.limit})
      texels.bones.push_back(static_cast<float>(value));
  }
  return texels;
}

std::size_t bytes_of(GLenum target, GLuint buffer) {
  GLint bytes = 0;
  glBindBuffer(target, buffer);
  glGetBufferParameteriv(target, GL_BUFFER_SIZE, &bytes);
  return static_cast<std::size_t>(bytes);
}

// Of the buffer that the texture on that unit reads; 0: there is none.
std::size_t bytes_of_texture(int unit) {
  GLint texture = 0, buffer = 0;
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &texture);
  if (texture == 0) return 0;
  glGetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
  return bytes_of(GL_TEXTURE_BUFFER, static_cast<GLuint>(buffer));
}

// Uniforms that a variant may do without.
GLint optional_uniform(const GlObject& program, const char* name) {
  return glGetUniformLocation(program.id(), name);
}

}  // namespace

struct GpuSkin::Buffers {
  Context& context;
  int vertex_count, face_count;
  DataParts parts;
  int slots = 0;
  int vector_slots = 0;  // of deform vectors; 0: there are none
  GlObject vector_buffer;
  int frame_slots = 0;  // of deform frames; 0: there are none
  GlObject frame_buffer;
  std::vector<float> vertex_centres;  // of CRS; empty: none
  std::vector<Vec3d> rest_b;
  std::vector<Attribute> attributes;
  GlObject faces;
  GlObject normal_map;  // none: id 0
  PaintTextures paint;
  std::map<Method, PoseReader> readers;

  Buffers(Context& context, const RiggedMesh& mesh, const SkinData& data, const Image8* map,
          const Paint& colours);
  // nullptr: captures.
  const GlObject& program(const SkinOptions& options, const Look* look) const;
  // Makes the arrays current for the program.
  // other: in the place of the one of its name.
  GlObject bind_attributes(const GlObject& program, const Attribute* other) const;
  // Draws or captures: sets what the pose determines, then calls draw().
  template <class Draw>
  void run(const GlObject& program, const Pose& pose, const SkinOptions& options, Draw draw) const;
  ImageF draw(const Pose& pose, const SkinOptions& options, const Camera& camera, const Look& look, int width,
              int height) const;
};

GpuSkin::Buffers::Buffers(Context& owner, const RiggedMesh& mesh, const SkinData& data, const Image8* map,
                          const Paint& colours)
    : context(owner),
      vertex_count(mesh.vertex_count()),
      face_count(static_cast<int>(mesh.faces.size())),
      parts(data_parts(mesh, data)) {
  const VertexSlots own = vertex_slots(mesh, data, {});
  slots = kernel_slots(own.slots);
  if (slots > kGpuSlots)
    throw InputError(
        "", "slots",
        std::to_string(own.slots) + " per vertex; the GPU takes at most " + std::to_string(kGpuSlots));
  const BoneSets sets = bone_sets(mesh, own);
  const auto binding = std::make_shared<Binding>(binding_of(mesh));
  for (const MethodRow& method : methods())
    readers.emplace(method.method, PoseReader(binding, method.mover, method.centre, sets));

  const auto uv = [&](std::size_t v) { return v < mesh.uv.size() ? mesh.uv[v] : Vec2d(0, 0); };
  attributes.push_back(vectors("rest_p", mesh.p0, [&](std::size_t v) { return mesh.handedness[v]; }));
  attributes.push_back(vectors("rest_n", mesh.n0, [&](std::size_t v) { return uv(v).x; }));
  attributes.push_back(vectors("rest_t", mesh.t0, [&](std::size_t v) { return uv(v).y; }));
  rest_b = mesh.b0;
  attributes.push_back(vectors("rest_b", rest_b, [](std::size_t) { return 0.0; }));

  const auto zero = [](int) { return 0.0f; };
  const auto first_bone = [&](int v) { return own.bone[own.at(v, 0)]; };
  attributes.push_back(slot_groups<GLint>("slot_bone[0]", own, slots, vertex_count, own.bone, first_bone));
  const auto add_slots = [&](std::string name, std::span<const double> values) {
    attributes.push_back(slot_groups<float>(std::move(name), own, slots, vertex_count, values, zero));
  };
  add_slots("slot_weight[0]", own.weight);
  if (parts.factors) {
    add_slots("slot_alpha[0]", data.factors->alpha);
    add_slots("slot_beta[0]", data.factors->beta);
  }
  if (parts.smooth) add_slots("slot_smooth[0]", data.factors->smooth_weight);
  if (parts.gradients) {
    std::vector<Vec3f> gradients;
    for (int v = 0; v < vertex_count; ++v)
      for (int s = 0; s < slots; ++s)
        gradients.push_back(s < own.slots ? Vec3f(data.factors->gradient[own.at(v, s)]) : Vec3f(0.0f));
    attributes.push_back(attribute("slot_gradient[0]", 3, slots, gradients));
  }
  attributes.push_back(attribute("bone_set", 1, 1, sets.of_vertex));
  if (data.centres) vertex_centres = centre_texels(mesh, *data.centres);
  faces = make_filled_buffer(GL_ARRAY_BUFFER, std::span<const Face>(mesh.faces));

  if (map) {
    if (mesh.uv.size() != mesh.p0.size())
      throw InputError("", "uv",
                       "has " + std::to_string(mesh.uv.size()) + " entries, the mesh needs " +
                           std::to_string(mesh.p0.size()));
    normal_map = make_normal_map_texture(*map);
  }
  Paint own_uv = colours;
  own_uv.uv = mesh.uv;
  paint = make_paint(own_uv, mesh.faces.size(), mesh.p0.size());

  if (data.frames) {
    frame_slots = kernel_slots(data.frames->slots);
    const std::vector<float> texels = frame_texels(*data.frames, frame_slots);
    require_texels(texels.size() / 4, "deform frames");
    frame_buffer = make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(texels));
  }
  if (!data.vectors) return;
  vector_slots = kernel_slots(data.vectors->slots);
  const std::vector<float> texels = vector_texels(*data.vectors, vector_slots);
  require_texels(texels.size() / 4, "deform vectors");
  vector_buffer = make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(texels));
}

const GlObject& GpuSkin::Buffers::program(const SkinOptions& options, const Look* look) const {
  const KernelTraits& traits = kernel_row(options.method, options.mode).traits;
  require_parts(parts, traits);
  ProgramSource source =
      look ? drawing_program("programs/skinned_draw.vert", *look, normal_map.id() != 0, paint.faces.id() != 0)
           : ProgramSource{
                 "programs/skinned_capture.vert", "", {}, {"posed_p", "posed_t", "posed_b", "posed_n"}};
  for (Define& define : kernel_defines(options)) source.defines.push_back(std::move(define));
  source.defines.push_back({"INFLUENCES", std::to_string(traits.reads.vectors  ? vector_slots
                                                         : traits.reads.frames ? frame_slots
                                                                               : slots)});
  return context.cache().program(source);
}

GlObject GpuSkin::Buffers::bind_attributes(const GlObject& program, const Attribute* other) const {
  GlObject arrays = make_vertex_array();
  glBindVertexArray(arrays.id());
  for (const Attribute& own : attributes) {
    const Attribute& a = other && other->name == own.name ? *other : own;
    const GLint location = glGetAttribLocation(program.id(), a.name.c_str());
    if (location < 0) continue;  // this kernel does not read it
    glBindBuffer(GL_ARRAY_BUFFER, a.buffer.id());
    const auto size = static_cast<std::size_t>(a.components) * sizeof(float);
    const auto stride = static_cast<GLsizei>(size * static_cast<std::size_t>(a.elements));
    for (int e = 0; e < a.elements; ++e) {
      const auto index = static_cast<GLuint>(location + e);
      // GL takes an offset into the buffer as a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
      const auto* offset = reinterpret_cast<const void*>(size * static_cast<std::size_t>(e));
      glEnableVertexAttribArray(index);
      if (a.type == GL_INT)
        glVertexAttribIPointer(index, a.components, GL_INT, stride, offset);
      else
        glVertexAttribPointer(index, a.components, GL_FLOAT, GL_FALSE, stride, offset);
    }
  }
  check_gl("binding the attributes of a skinned mesh");
  return arrays;
}

template <class Draw>
void GpuSkin::Buffers::run(const GlObject& program, const Pose& pose, const SkinOptions& options,
                           Draw draw) const {
  const KernelRow& kernel = kernel_row(options.method, options.mode);
  const KernelTraits& traits = kernel.traits;
  PreparedPose<float> prepared;
  readers.at(kernel.method).read(pose, options.guard, prepared);
  const bool of_vertices = traits.centre == CentreKind::of_vertex;
  const PoseTexels texels = pose_texels(prepared, traits.side);
  const std::vector<float>& centres = of_vertices ? vertex_centres : texels.centres;
  require_texels(texels.bones.size() / 4, "bones");
  require_texels(centres.size() / 4, "centres");
  const GlObject bones = make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(texels.bones)),
                 bones_texture = bound_buffer_texture(0, bones);
  GlObject of_centres, centres_texture;
  if (!centres.empty()) {
    of_centres = make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(centres));
    centres_texture = bound_buffer_texture(2, of_centres);
  }
  GlObject vectors_texture;
  if (traits.reads.vectors) vectors_texture = bound_buffer_texture(1, vector_buffer);
  if (traits.reads.frames) vectors_texture = bound_buffer_texture(1, frame_buffer);

  glUseProgram(program.id());
  glUniform1i(uniform(program, "bones"), 0);
  glUniform1i(optional_uniform(program, "centres"), 2);
  glUniform1i(optional_uniform(program, "slot_vectors"), 1);
  glUniform1i(optional_uniform(program, "vertex_frames"), 1);
  glUniform1i(uniform(program, "group_texel"), texels.group_texel);
  glUniform1i(optional_uniform(program, "group_bones"), texels.group_bones);
  glUniform1i(optional_uniform(program, "group_centres"), texels.group_centres);
  const Vec3f pivot(prepared.pivot);
  glUniform3f(uniform(program, "pivot"), pivot.x, pivot.y, pivot.z);
  glUniform1f(optional_uniform(program, "guard_kept"),
              static_cast<float>(prepared.groups.front().guard.kept));
  const std::vector<int>& group = prepared.found.of_vertex;
  std::optional<Attribute> grouped;
  if (!group.empty())
    grouped = vectors("rest_b", rest_b, [&](std::size_t v) { return static_cast<double>(group[v]); });
  const GlObject arrays = bind_attributes(program, grouped ? &*grouped : nullptr);
  check_gl("setting a pose");
  draw();
  glBindVertexArray(0);
}

ImageF GpuSkin::Buffers::draw(const Pose& pose, const SkinOptions& options, const Camera& camera,
                              const Look& look, int width, int height) const {
  const GlObject& variant = program(options, &look);
  OffscreenTarget& target = context.cache().target(width, height);
  target.begin();
  use_program(variant, camera, look);
  if (normal_map.id() != 0) use_normal_map(variant, normal_map);
  if (paint.faces.id() != 0 && look.fragment == kShaded.fragment) use_paint(variant, paint);
  run(variant, pose, options, [&] {
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, faces.id());
    glDrawElements(GL_TRIANGLES, 3 * face_count, GL_UNSIGNED_INT, nullptr);
    check_gl("drawing a skinned mesh");
  });
  return target.read();
}

GpuSkin::GpuSkin(Context& context, const RiggedMesh& mesh, const SkinData& data, const Image8* normal_map,
                 const Paint& paint)
    : gpu_(std::make_unique<Buffers>(context, mesh, data, normal_map, paint)) {}
GpuSkin::~GpuSkin() = default;

SkinnedMesh<float> GpuSkin::capture(const Pose& pose, const SkinOptions& options) const {
  struct Posed {
    Vec3f p, t, b, n;
  };
  const auto count = static_cast<std::size_t>(gpu_->vertex_count);
  const GlObject& program = gpu_->program(options, nullptr);
  const GlObject results = make_buffer(), query = make_query();
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results.id());
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(count * sizeof(Posed)), nullptr,
               GL_STREAM_READ);
  check_gl("making room for skinned vertices");

  // Without a window, transform feedback is an error unless a complete framebuffer is bound, though nothing
  // is drawn.
  OffscreenTarget target(1, 1);
  target.begin();
  gpu_->run(program, pose, options, [&] {
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, results.id());
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query.id());
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, gpu_->vertex_count);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glDisable(GL_RASTERIZER_DISCARD);
    check_gl("capturing skinned vertices");
  });
  GLuint written = 0;
  glGetQueryObjectuiv(query.id(), GL_QUERY_RESULT, &written);
  if (written != count)
    throw InputError("OpenGL", "capturing skinned vertices",
                     std::to_string(written) + " of " + std::to_string(count) + " vertices were written");

  std::vector<Posed> posed(count);
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results.id());
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(Posed)),
                     posed.data());
  check_gl("reading skinned vertices");
  SkinnedMesh<float> mesh;
  for (const Posed& v : posed) {
    mesh.p.push_back(v.p);
    mesh.t.push_back(v.t);
    mesh.b.push_back(v.b);
    mesh.n.push_back(v.n);
  }
  return mesh;
}

GpuBytes GpuSkin::bytes(const Pose& pose, const SkinOptions& options) const {
  const GlObject& program = gpu_->program(options, nullptr);
  GpuBytes bytes;
  gpu_->run(program, pose, options, [&] {
    GLint first_group = 0;  // the texel behind the bones
    glGetUniformiv(program.id(), uniform(program, "group_texel"), &first_group);
    bytes.bones = std::min(bytes_of_texture(0), kTexelBytes * static_cast<std::size_t>(first_group));
    bytes.centres = bytes_of_texture(2);
  });
  for (const Attribute& a : gpu_->attributes)
    if (a.name == "rest_n") bytes.normals = bytes_of(GL_ARRAY_BUFFER, a.buffer.id());
  check_gl("asking for the sizes of buffers");
  return bytes;
}

ImageF GpuSkin::normals(const Pose& pose, const SkinOptions& options, const Camera& camera, int width,
                        int height) const {
  return gpu_->draw(pose, options, camera, kNormals, width, height);
}

Image8 GpuSkin::shaded(const Pose& pose, const SkinOptions& options, const Camera& camera,
                       const PictureSize& size) const {
  const int k = size.supersampling;
  return develop(gpu_->draw(pose, options, camera, kShaded, size.width * k, size.height * k), k);
}

Image8 GpuSkin::reflection(const Pose& pose, const SkinOptions& options, const Camera& camera,
                           const PictureSize& size, const Reflection& stripes) const {
  const int k = size.supersampling;
  return develop(gpu_->draw(pose, options, camera, reflecting(stripes), size.width * k, size.height * k), k);
}

}  // namespace skinlight
