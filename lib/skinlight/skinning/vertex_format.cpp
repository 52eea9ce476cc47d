#include "skinlight/skinning/vertex_format.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

class Writer {
 public:
  explicit Writer(std::size_t bytes) { data_.reserve(bytes); }
  template <class T>
  void put(T value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    data_.insert(data_.end(), raw, raw + sizeof value);
  }
  std::vector<std::byte> take() { return std::move(data_); }

 private:
  std::vector<std::byte> data_;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::byte>& data) : next_(data.data()) {}
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }

 private:
  const std::byte* next_;
};

void require_slots(const VertexFormat& format) {
  if (format.slots < 1 || format.slots > kMaxSlots)
    throw InputError(
        "", "vertex format",
        std::to_string(format.slots) + " slots; 1 to " + std::to_string(kMaxSlots) + " are possible");
}

}  // namespace

int VertexFormat::normal_bytes() const {
  switch (normals) {
    case NormalData::none:
      return 0;
    case NormalData::deform_factors:
      return (slots - 1) * 8;
    case NormalData::gradients:
      return slots * 12;
  }
  return 0;
}

std::vector<std::byte> packed_vertices(const DeformFactors& factors, const VertexFormat& format) {
  require_slots(format);
  if (factors.slots != format.slots)
    throw InputError("", "deform factors",
                     "have " + std::to_string(factors.slots) + " slots, the vertex format " +
                         std::to_string(format.slots));
  if (format.normals == NormalData::gradients && factors.gradient.size() != factors.bone.size())
    throw InputError("", "deform factors", "have no gradients to pack");
  const int vertices = static_cast<int>(factors.bone.size()) / factors.slots;
  Writer out(static_cast<std::size_t>(vertices) * static_cast<std::size_t>(format.bytes()));
  for (int v = 0; v < vertices; ++v) {
    for (int s = 0; s < format.slots; ++s) {
      const int bone = factors.bone[factors.at(v, s)];
      if (bone < 0 || bone > UINT16_MAX)
        throw InputError("", "vertex " + std::to_string(v),
                         "bone " + std::to_string(bone) + " does not fit 16 bits");
      out.put(static_cast<std::uint16_t>(bone));
    }
    for (int s = 0; s < format.slots; ++s) out.put(static_cast<float>(factors.weight[factors.at(v, s)]));
    if (format.normals == NormalData::deform_factors)
      for (int s = 1; s < format.slots; ++s) {
        out.put(static_cast<float>(factors.alpha[factors.at(v, s)]));
        out.put(static_cast<float>(factors.beta[factors.at(v, s)]));
      }
    if (format.normals == NormalData::gradients)
      for (int s = 0; s < format.slots; ++s)
        for (int c = 0; c < 3; ++c) out.put(static_cast<float>(factors.gradient[factors.at(v, s)][c]));
  }
  return out.take();
}

DeformFactors unpacked_vertices(const std::vector<std::byte>& data, const VertexFormat& format) {
  require_slots(format);
  const auto stride = static_cast<std::size_t>(format.bytes()),
             slots = static_cast<std::size_t>(format.slots);
  if (data.size() % stride != 0)
    throw InputError(
        "", "packed vertices",
        std::to_string(data.size()) + " bytes are no whole number of vertices of " + std::to_string(stride));
  const std::size_t vertices = data.size() / stride;
  DeformFactors factors;
  factors.slots = format.slots;
  factors.bone.resize(vertices * slots);
  factors.weight.resize(vertices * slots);
  factors.alpha.resize(vertices * slots);
  factors.beta.resize(vertices * slots);
  factors.gradient.resize(vertices * slots, Vec3d(0.0));
  factors.smooth_weight.resize(vertices * slots);
  Reader in(data);
  for (std::size_t first = 0; first < vertices * slots; first += slots) {
    for (std::size_t s = 0; s < slots; ++s) factors.bone[first + s] = in.get<std::uint16_t>();
    for (std::size_t s = 0; s < slots; ++s) factors.weight[first + s] = in.get<float>();
    if (format.normals == NormalData::deform_factors)
      for (std::size_t s = 1; s < slots; ++s) {
        factors.alpha[first] -= factors.alpha[first + s] = in.get<float>();
        factors.beta[first] -= factors.beta[first + s] = in.get<float>();
      }
    if (format.normals == NormalData::gradients)
      for (std::size_t s = 0; s < slots; ++s)
        for (int c = 0; c < 3; ++c) factors.gradient[first + s][c] = in.get<float>();
  }
  return factors;
}

}  // namespace skinlight
