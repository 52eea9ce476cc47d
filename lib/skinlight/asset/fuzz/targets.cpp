#include "skinlight/asset/fuzz/targets.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/assimp/detail/assimp_model.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/npy.h"

namespace skinlight::fuzz {

namespace {

namespace fs = std::filesystem;

// A file of this process for readers that take a path.
class Scratch {
 public:
  Scratch() : folder_(fs::temp_directory_path() / ("skinlight_fuzz_" + std::to_string(::getpid()))) {}
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path write(const std::string& name, std::string_view bytes) const {
    write_file(folder_ / name, bytes);
    return folder_ / name;
  }

 private:
  fs::path folder_;
};

const Scratch& scratch() {
  static const Scratch folder;
  return folder;
}

// All that a reader promises of a model: a valid mesh, a finite pose whenever pose_at() gives one.
void require_sound(const Model& model) {
  try {
    validate(model.mesh);
    default_pose(model.skeleton);
  } catch (const InputError& e) {
    throw std::logic_error(std::string("accepted an unsound model: ") + e.what());
  }
  if (model.mesh.bone_count != model.skeleton.bone_count()) throw std::logic_error("bones without a node");
  for (const Clip& clip : model.clips)
    for (const double share : {0.0, .3, 1.0}) {
      if (!std::isfinite(clip.duration)) throw std::logic_error("a clip of no finite duration");
      for (const Mat4x3d& m : pose_at(model.skeleton, clip, share * clip.duration).M)
        if (!is_finite(m)) throw std::logic_error("a pose that is not finite");
    }
}

template <class Read>
void expect_model_or_error(const Read& read) {
  try {
    require_sound(read());
  } catch (const InputError&) {
  }
}

void gltf(std::string_view bytes) {
  expect_model_or_error([&] { return parse_gltf(bytes, "", "fuzz"); });
  RawAttributes raw;
  expect_model_or_error(
      [&] { return parse_gltf(bytes, "", "fuzz", {.raw = &raw, .keep_unusable_weights = true}); });
}

void fbx(std::string_view bytes) {
  expect_model_or_error([&] { return parse_fbx(bytes, "fuzz"); });
}

// The first byte chooses the format, by Assimp's importers in their process.
void assimp_file(std::string_view bytes) {
  constexpr std::array kNames = {"fuzz.x", "fuzz.dae", "fuzz.md5mesh"};
  if (bytes.empty()) return;
  const char* const name = kNames[static_cast<unsigned char>(bytes[0]) % kNames.size()];
  expect_model_or_error([&] { return parse_assimp(bytes.substr(1), name); });
}

// What a process that Assimp has damaged might answer: any bytes.
void assimp_scene(std::string_view bytes) {
  expect_model_or_error([&] { return assimp::model_of(assimp::unpack(bytes), "fuzz", {}, 25); });
}

void npy(std::string_view bytes) {
  const fs::path path = scratch().write("fuzz.npy", bytes);
  try {
    const NpyArray array = read_npy_array(path);
    std::size_t count = 1;
    for (const std::size_t n : array.shape) count *= n;
    if (count != array.values.size()) throw std::logic_error("an array of another size than its shape");
  } catch (const InputError&) {
  }
  try {
    read_npy(path);
  } catch (const InputError&) {
  }
}

constexpr std::array kTargets = {
    NamedTarget{"gltf", gltf},
    NamedTarget{"fbx", fbx},
    NamedTarget{"assimp_file", assimp_file},
    NamedTarget{"assimp_scene", assimp_scene},
    NamedTarget{"npy", npy},
};

}  // namespace

std::span<const NamedTarget> targets() { return kTargets; }

}  // namespace skinlight::fuzz
