#include "skinlight/skinning/packed_normals.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

template <class T>
void append(std::vector<std::byte>& data, T value) {
  const auto* raw = reinterpret_cast<const std::byte*>(&value);
  data.insert(data.end(), raw, raw + sizeof value);
}

void put(NumberFormat format, double x, double scale, std::vector<std::byte>& data) {
  switch (format) {
    case NumberFormat::f32:
      return append(data, static_cast<float>(x));
    case NumberFormat::f16:
      return append(data, half_from(x / scale));
    case NumberFormat::snorm16:
      return append(data, static_cast<std::int16_t>(storage_code(format, x, scale)));
    case NumberFormat::snorm8:
      return append(data, static_cast<std::int8_t>(storage_code(format, x, scale)));
  }
}

class Reader {
 public:
  explicit Reader(const PackedNormals& packed) : format_(packed.format), next_(packed.data.data()) {}

  double get(double scale) {
    switch (format_) {
      case NumberFormat::f32:
        return take<float>();
      case NumberFormat::f16:
        return double_from_half(take<std::uint16_t>()) * scale;
      case NumberFormat::snorm16:
        return take<std::int16_t>() * scale / row(format_).largest_code;
      case NumberFormat::snorm8:
        break;
    }
    return take<std::int8_t>() * scale / row(format_).largest_code;
  }
  Vec3d get_vector(double scale) {
    const double x = get(scale), y = get(scale), z = get(scale);
    return {x, y, z};
  }

 private:
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }
  NumberFormat format_;
  const std::byte* next_;
};

// The largest size seen.
class Largest {
 public:
  void see(double x) {
    if (!(std::abs(x) <= std::numeric_limits<float>::max()))
      throw InputError("", "normal data", "holds a number that is not finite or beyond the range of float");
    largest_ = std::max(largest_, std::abs(x));
  }
  void see(Vec3d v) {
    for (int c = 0; c < 3; ++c) see(v[c]);
  }
  double value() const { return largest_; }

 private:
  double largest_ = 0;
};

void require_entries(std::size_t actual, std::size_t expected, const char* what) {
  if (actual != expected)
    throw InputError("", what,
                     "has " + std::to_string(actual) + " entries, expected " + std::to_string(expected));
}

int vertices_of(std::size_t entries, int slots) {
  if (slots < 1 || slots > kMaxSlots || entries % static_cast<std::size_t>(slots) != 0)
    throw InputError("", "normal data",
                     std::to_string(slots) + " slots for " + std::to_string(entries) + " entries");
  return static_cast<int>(entries / static_cast<std::size_t>(slots));
}

void require_record(const PackedNormals& packed, bool vectors, int slots, int vertices) {
  if ((packed.record == NormalRecord::deform_vectors) != vectors || packed.slots != slots)
    throw InputError("", "packed normals", "are of another record or number of slots");
  const auto bytes = static_cast<std::size_t>(normal_record_bytes(packed.record, slots, packed.format));
  if (packed.data.size() != bytes * static_cast<std::size_t>(vertices))
    throw InputError("", "packed normals",
                     std::to_string(packed.data.size()) + " bytes are not " + std::to_string(vertices) +
                         " vertices of " + std::to_string(bytes));
}

}  // namespace

int numbers_per_slot(NormalRecord record) {
  switch (record) {
    case NormalRecord::deform_factors:
      return 2;
    case NormalRecord::smoothed:
      return 3;
    case NormalRecord::deform_vectors:
      break;
  }
  return 8;
}

int normal_record_bytes(NormalRecord record, int slots, NumberFormat format) {
  return numbers_per_slot(record) * (slots - 1) * row(format).bytes;
}

PackedNormals packed_normals(const DeformFactors& factors, NormalRecord record, NumberFormat format) {
  if (record == NormalRecord::deform_vectors)
    throw InputError("", "normal record", "deform factors hold no deform vectors");
  const bool smoothed = record == NormalRecord::smoothed;
  const int vertices = vertices_of(factors.bone.size(), factors.slots);
  require_entries(factors.alpha.size(), factors.bone.size(), "alpha");
  require_entries(factors.beta.size(), factors.bone.size(), "beta");
  if (smoothed) require_entries(factors.smooth_weight.size(), factors.bone.size(), "smooth weights");

  Largest factor, weight;
  for (int v = 0; v < vertices; ++v)
    for (int s = 1; s < factors.slots; ++s) {
      factor.see(factors.alpha[factors.at(v, s)]);
      factor.see(factors.beta[factors.at(v, s)]);
      if (smoothed) weight.see(factors.smooth_weight[factors.at(v, s)]);
    }
  PackedNormals packed{record,
                       format,
                       factors.slots,
                       storage_scale(format, factor.value()),
                       storage_scale(format, weight.value()),
                       {}};
  for (int v = 0; v < vertices; ++v)
    for (int s = 1; s < factors.slots; ++s) {
      const std::size_t i = factors.at(v, s);
      put(format, factors.alpha[i], packed.factor_scale, packed.data);
      put(format, factors.beta[i], packed.factor_scale, packed.data);
      if (smoothed) put(format, factors.smooth_weight[i], packed.vector_scale, packed.data);
    }
  return packed;
}

PackedNormals packed_normals(const DeformVectors& vectors, NumberFormat format) {
  const int vertices = vertices_of(vectors.bone.size(), vectors.slots);
  require_entries(vectors.along_t.size(), vectors.bone.size(), "deform vectors along t");
  require_entries(vectors.along_b.size(), vectors.bone.size(), "deform vectors along b");

  Largest factor, part;
  const auto each = [&](auto visit) {
    for (int v = 0; v < vertices; ++v)
      for (int s = 1; s < vectors.slots; ++s)
        for (const std::vector<DeformVector>* tau : {&vectors.along_t, &vectors.along_b})
          visit((*tau)[vectors.at(v, s)]);
  };
  each([&](const DeformVector& tau) {
    part.see(tau.v);
    factor.see(tau.w);
  });
  PackedNormals packed{
      NormalRecord::deform_vectors,        format, vectors.slots, storage_scale(format, factor.value()),
      storage_scale(format, part.value()), {}};
  each([&](const DeformVector& tau) {
    for (int c = 0; c < 3; ++c) put(format, tau.v[c], packed.vector_scale, packed.data);
    put(format, tau.w, packed.factor_scale, packed.data);
  });
  return packed;
}

void unpack_normals(const PackedNormals& packed, DeformFactors& factors) {
  const int vertices = vertices_of(factors.bone.size(), factors.slots);
  require_record(packed, false, factors.slots, vertices);
  const bool smoothed = packed.record == NormalRecord::smoothed;
  for (std::vector<double>* values : {&factors.alpha, &factors.beta, &factors.smooth_weight})
    values->resize(factors.bone.size());
  Reader in(packed);
  for (int v = 0; v < vertices; ++v) {
    double alpha = 0, beta = 0, weight = 1;
    for (int s = 1; s < factors.slots; ++s) {
      const std::size_t i = factors.at(v, s);
      alpha += factors.alpha[i] = in.get(packed.factor_scale);
      beta += factors.beta[i] = in.get(packed.factor_scale);
      if (smoothed) weight -= factors.smooth_weight[i] = in.get(packed.vector_scale);
    }
    const std::size_t first = factors.at(v, 0);
    factors.alpha[first] = -alpha;
    factors.beta[first] = -beta;
    if (smoothed) factors.smooth_weight[first] = weight;
  }
}

void unpack_normals(const PackedNormals& packed, const RiggedMesh& mesh, DeformVectors& vectors) {
  const int vertices = vertices_of(vectors.bone.size(), vectors.slots);
  require_record(packed, true, vectors.slots, vertices);
  require_entries(mesh.t0.size(), static_cast<std::size_t>(vertices), "tangents of the mesh");
  require_entries(mesh.b0.size(), static_cast<std::size_t>(vertices), "bitangents of the mesh");
  vectors.along_t.resize(vectors.bone.size());
  vectors.along_b.resize(vectors.bone.size());
  Reader in(packed);
  for (int v = 0; v < vertices; ++v) {
    DeformVector rest_t{mesh.t0[static_cast<std::size_t>(v)]}, rest_b{mesh.b0[static_cast<std::size_t>(v)]};
    const auto take = [&](DeformVector& tau, DeformVector& rest) {
      tau.v = in.get_vector(packed.vector_scale);
      tau.w = in.get(packed.factor_scale);
      rest.v -= tau.v;
      rest.w -= tau.w;
    };
    for (int s = 1; s < vectors.slots; ++s) {
      take(vectors.along_t[vectors.at(v, s)], rest_t);
      take(vectors.along_b[vectors.at(v, s)], rest_b);
    }
    vectors.along_t[vectors.at(v, 0)] = rest_t;
    vectors.along_b[vectors.at(v, 0)] = rest_b;
  }
}

}  // namespace skinlight
