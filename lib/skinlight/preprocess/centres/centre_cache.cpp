#include "skinlight/preprocess/centres/centre_cache.h"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "skinlight/core/file.h"
#include "skinlight/core/sha256.h"

namespace skinlight {

namespace {

constexpr std::string_view kMagic = "SLCENTRE";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kDigest = 64;
constexpr std::size_t kHeader = 8 + 4 + 4 + kDigest + 4 * 4, kPerVertex = 9 * 8 + 1;

template <class T>
std::string digest_of(const std::vector<T>& array) {
  return sha256({reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)});
}

template <class Unsigned>
void put(Unsigned value, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i));
}

void put(Vec3d v, std::string& bytes) {
  for (const double x : {v.x, v.y, v.z}) put(std::bit_cast<std::uint64_t>(x), bytes);
}

void put_count(int count, std::string& bytes) { put(static_cast<std::uint32_t>(count), bytes); }

// Reads on from the front of what is left.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  std::string_view text(std::size_t length) {
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }
  template <class Unsigned>
  Unsigned number() {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
      value |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes_[i])) << (8 * i));
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  int count() { return static_cast<int>(number<std::uint32_t>()); }
  Vec3d vector() {
    Vec3d v;
    for (int c = 0; c < 3; ++c) v[c] = std::bit_cast<double>(number<std::uint64_t>());
    return v;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

std::string centres_key(const RiggedMesh& mesh, const Surface& surface, const CentreOptions& options) {
  std::vector<int> welded;
  for (int v = 0; v < surface.file_vertex_count(); ++v) welded.push_back(surface.vertex_of(v));
  char text[256];
  // Hexadecimal floats: every bit of an option counts.
  std::snprintf(text, sizeof text,
                "version %u method %d sigma %a cutoff %a omega %a pieces %a averaging %d slots %d", kVersion,
                static_cast<int>(options.method), options.sigma, options.cutoff, options.omega,
                options.subdivide_above, static_cast<int>(options.averaging), mesh.slots);
  return sha256(digest_of(mesh.p0) + digest_of(mesh.t0) + digest_of(mesh.b0) + digest_of(mesh.faces) +
                digest_of(mesh.bone) + digest_of(mesh.weight) + digest_of(welded) + text);
}

void write_centres(const std::filesystem::path& path, const RotationCentres& centres,
                   const std::string& key) {
  std::string bytes(kMagic);
  bytes.reserve(kHeader + centres.centre.size() * kPerVertex + kDigest);
  put(kVersion, bytes);
  put_count(static_cast<int>(centres.centre.size()), bytes);
  bytes += key;
  for (const int count : {centres.single_bone, centres.limits, centres.triangles, centres.without_centre})
    put_count(count, bytes);
  for (std::size_t v = 0; v < centres.centre.size(); ++v) {
    put(centres.centre[v], bytes);
    put(centres.along_t[v], bytes);
    put(centres.along_b[v], bytes);
  }
  bytes.append(centres.has_centre.begin(), centres.has_centre.end());
  bytes += sha256(bytes);
  write_file(path, bytes);
}

RotationCentres read_centres(const std::filesystem::path& path, const std::string& key) {
  const std::string bytes = read_file(path);
  const auto fail = [&](const std::string& reason) { throw InputError(path.string(), "", reason); };
  if (bytes.substr(0, kMagic.size()) != kMagic) fail("is no file of rotation centres");
  if (bytes.size() < kHeader + kDigest) fail("is truncated");
  Cursor cursor(std::string_view(bytes).substr(kMagic.size()));
  if (const auto version = cursor.number<std::uint32_t>(); version != kVersion)
    fail("has version " + std::to_string(version) + ", expected " + std::to_string(kVersion));
  const auto vertices = cursor.number<std::uint32_t>();
  const std::size_t expected = kHeader + std::size_t{vertices} * kPerVertex + kDigest;
  if (bytes.size() != expected)
    fail("has " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(expected));
  const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - kDigest);
  if (sha256(content) != std::string_view(bytes).substr(content.size()))
    fail("is corrupt: its checksum does not match");
  if (cursor.text(kDigest) != key) fail("is stale: made for another mesh or other options");

  RotationCentres centres;
  centres.single_bone = cursor.count();
  centres.limits = cursor.count();
  centres.triangles = cursor.count();
  centres.without_centre = cursor.count();
  for (std::uint32_t v = 0; v < vertices; ++v) {
    centres.centre.push_back(cursor.vector());
    centres.along_t.push_back(cursor.vector());
    centres.along_b.push_back(cursor.vector());
  }
  const std::string_view has = cursor.text(vertices);
  centres.has_centre.assign(has.begin(), has.end());
  return centres;
}

RotationCentres cached_rotation_centres(const RiggedMesh& mesh, const Surface& surface,
                                        const CentreOptions& options, const std::filesystem::path& path,
                                        std::vector<Warning>& warnings) {
  const std::string key = centres_key(mesh, surface, options);
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) try {
      return read_centres(path, key);
    } catch (const InputError& error) {
      warnings.push_back({path.string(), error.reason() + "; the centres were computed anew"});
    }
  RotationCentres centres = rotation_centres(mesh, surface, options);
  try {
    write_centres(path, centres, key);
  } catch (const InputError& error) {
    warnings.push_back({path.string(), error.reason() + "; the centres were not kept"});
  }
  return centres;
}

}  // namespace skinlight
