#include "skinlight/asset/assimp/detail/assimp_scene.h"

#include <cstring>
#include <type_traits>

#include "skinlight/core/error.h"

namespace skinlight::assimp {

namespace {

// Appends fields in the order in which Unpacker finds them.
class Packer {
 public:
  template <class T>
  void number(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void numbers(const T& list) {
    number(static_cast<std::uint64_t>(list.size()));
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof *list.data());
  }
  template <class T>
  std::uint64_t count(const std::vector<T>& list) {
    number(static_cast<std::uint64_t>(list.size()));
    return list.size();
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  void number(T& value) {
    copy(&value, sizeof value);
  }
  template <class T>
  void numbers(T& list) {
    std::uint64_t size = 0;
    number(size);
    require(size <= bytes_.size() / sizeof *list.data());  // before it gets memory
    list.resize(size);
    if (size > 0) copy(list.data(), size * sizeof *list.data());
  }
  template <class T>
  std::uint64_t count(std::vector<T>& list) {
    std::uint64_t size = 0;
    number(size);
    require(size <= bytes_.size());  // an element takes a byte at least, most take tens
    list.clear();
    return size;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  static void require(bool fits) {
    if (!fits) throw InputError("", "", "the importer left an answer that makes no sense");
  }
  void copy(void* to, std::size_t size) {
    require(size <= bytes_.size());
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

template <class Archive>
void fields(Archive& a, SceneNode& node) {
  a.numbers(node.name);
  a.number(node.parent);
  a.number(node.transform);
  a.numbers(node.meshes);
}

template <class Archive>
void fields(Archive& a, SceneBone& bone) {
  a.numbers(bone.node);
  a.number(bone.offset);
  a.numbers(bone.vertices);
  a.numbers(bone.weights);
}

template <class Archive, class T>
void list_of(Archive& a, std::vector<T>& list);

template <class Archive>
void fields(Archive& a, SceneMesh& mesh) {
  a.numbers(mesh.name);
  for (std::vector<float>* attribute :
       {&mesh.position, &mesh.normal, &mesh.tangent, &mesh.bitangent, &mesh.uv})
    a.numbers(*attribute);
  a.numbers(mesh.corners);
  a.number(mesh.other_faces);
  a.number(mesh.morph_targets);
  list_of(a, mesh.bones);
}

template <class Archive>
void fields(Archive& a, SceneChannel& channel) {
  a.numbers(channel.node);
  for (SceneKeys* keys : {&channel.translation, &channel.rotation, &channel.scale}) {
    a.numbers(keys->times);
    a.numbers(keys->values);
  }
}

template <class Archive>
void fields(Archive& a, SceneClip& clip) {
  a.numbers(clip.name);
  a.number(clip.ticks_per_second);
  list_of(a, clip.channels);
  a.number(clip.other_channels);
}

template <class Archive, class T>
void list_of(Archive& a, std::vector<T>& list) {
  const std::uint64_t size = a.count(list);
  for (std::uint64_t i = 0; i < size; ++i) {
    if (i == list.size()) list.emplace_back();  // one by one: a false size ends where the bytes do
    fields(a, list[i]);
  }
}

template <class Archive>
void fields(Archive& a, Scene& scene) {
  list_of(a, scene.nodes);
  list_of(a, scene.meshes);
  list_of(a, scene.clips);
}

}  // namespace

std::string pack(Scene scene) {
  Packer packer;
  fields(packer, scene);
  return packer.take();
}

Scene unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Scene scene;
  fields(unpacker, scene);
  if (!unpacker.at_end()) throw InputError("", "", "the importer left an answer that makes no sense");
  return scene;
}

}  // namespace skinlight::assimp
