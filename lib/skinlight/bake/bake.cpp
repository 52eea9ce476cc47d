#include "skinlight/bake/bake.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/bake/detail/gltf_baked.h"
#include "skinlight/bake/detail/gltf_digest.h"
#include "skinlight/bake/detail/gltf_frames.h"
#include "skinlight/bake/detail/gltf_own_joints.h"
#include "skinlight/bake/detail/gltf_stamp.h"
#include "skinlight/bake/detail/gltf_uncompress.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/core/file.h"
#include "skinlight/core/names.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"

namespace skinlight {

using gltf::Json;
using gltf::PrimitiveVertices;

namespace {

namespace fs = std::filesystem;

struct LayoutRow {
  FactorLayout layout;
  std::string_view name;
};

// In the order of FactorLayout.
constexpr std::array kLayouts = {LayoutRow{FactorLayout::attributes, "attributes"},
                                 LayoutRow{FactorLayout::texcoord, "texcoord"}};

std::string element_of(int mesh, int primitive) {
  return "mesh " + std::to_string(mesh) + " primitive " + std::to_string(primitive);
}

// What a primitive has at its corners.
struct CornerSums {
  double joints = 0;  // of (slot + 1) joint over all slots
  // The mean of normal and tangent, each corner with 1 + such a sum of its own as weight.
  std::array<double, 6> frame = {};
};

class Baker {
 public:
  Baker(fs::path in, fs::path out, const BakeOptions& options,
        std::function<void(const std::string&)> progress)
      : in_(std::move(in)),
        out_(std::move(out)),
        options_(options),
        progress_(std::move(progress)),
        bytes_(read_file(in_)),
        file_(gltf::open(bytes_, folder_of(in_))),
        accessors_(file_),
        digest_(file_, accessors_) {
    if (options_.missing_normals != MissingNormals::smooth) gltf::split_planes(file_);
  }

  BakeReport run();

 private:
  void tell(const std::string& text) const {
    if (progress_) progress_(text);
  }
  const tinygltf::Primitive& primitive(const PrimitiveVertices& p) const {
    return file_.meshes[at(p.mesh)].primitives[at(p.primitive)];
  }
  bool is_skinned(int mesh) const {
    return std::any_of(file_.nodes.begin(), file_.nodes.end(),
                       [&](const tinygltf::Node& n) { return n.mesh == mesh && n.skin >= 0; });
  }
  int usual_influences() const;
  void resolve_options();
  bool is_stamped(const std::vector<PrimitiveVertices>& primitives);
  void find_known_sets(const std::vector<PrimitiveVertices>& primitives);
  void remove_earlier(int mesh, std::size_t primitive);
  // How many sets of texture coordinates the record takes.
  int new_sets() const {
    return options_.layout == FactorLayout::texcoord ? gltf::texcoord_sets(options_.kind, options_.influences)
                                                     : 0;
  }
  void bake_mesh(const std::vector<PrimitiveVertices>& primitives);
  void bake_primitive(const PrimitiveVertices& p, const PerUnit& scale, int first_texcoord);
  bool has_frame(const PrimitiveVertices& p, const char* attribute);
  bool has_influences(const PrimitiveVertices& p, const gltf::NamedAttributes& wanted);
  void mark_primitive(const PrimitiveVertices& p, const CornerSums& corners);
  std::vector<int> corners_of(const PrimitiveVertices& p);
  double extent_of(const PrimitiveVertices& p, const std::vector<int>& vertices) const;
  CornerSums corner_sums(const PrimitiveVertices& p, const gltf::NamedAttributes& influences);
  void set(Json& attributes, const std::string& name, const PrimitiveVertices& p, const PerUnit& scale,
           const std::function<gltf::NewAttribute()>& make);
  Json& attributes_of(int mesh, int primitive);

  fs::path in_, out_;
  BakeOptions options_;
  std::function<void(const std::string&)> progress_;
  std::string bytes_;  // of the input, until both of its views are parsed, or it is copied as it is
  tinygltf::Model file_;
  gltf::Accessors accessors_;
  gltf::Digest digest_;
  gltf::Document document_;
  BakeReport report_;
  std::set<int>
      known_sets_;  // meshes whose texture coordinates an earlier bake took and nobody changed since
  // Accessors made, by first vertex, scales and attribute: primitives that shared theirs go on doing so.
  std::map<std::tuple<int, double, double, std::string>, int> made_;
};

bool Baker::is_stamped(const std::vector<PrimitiveVertices>& primitives) {
  const Json wanted = gltf::stamp(options_);
  std::set<int> meshes;
  for (const PrimitiveVertices& p : primitives) meshes.insert(p.mesh);
  return std::all_of(meshes.begin(), meshes.end(), [&](int mesh) {
    return gltf::has_mark(document_.json["meshes"][at(mesh)], wanted) &&
           digest_.holds(mesh, document_.json, primitives);
  });
}

void Baker::find_known_sets(const std::vector<PrimitiveVertices>& primitives) {
  const Json known = gltf::without_later_sets(document_.json);
  for (const PrimitiveVertices& p : primitives)
    if (gltf::mark_of(known["meshes"][at(p.mesh)]).contains("first_texcoord") &&
        known_sets_.count(p.mesh) == 0 && digest_.holds(p.mesh, known, primitives))
      known_sets_.insert(p.mesh);
}

// What may be the user's own stays, and so do sets that others stand behind, which would lose their number.
void Baker::remove_earlier(int mesh, std::size_t primitive) {
  gltf::TexcoordSets sets = gltf::earlier_sets(document_.json["meshes"][at(mesh)], primitive);
  Json& attributes = attributes_of(mesh, static_cast<int>(primitive));
  const auto stay = [&](const char* why) {
    std::string names;
    for (int set = sets.first; set < sets.first + sets.count; ++set)
      if (const std::string name = gltf::texcoord_name(set); attributes.contains(name))
        names.append(names.empty() ? "" : ", ").append(name);
    if (!names.empty()) warn(report_.warnings, element_of(mesh, static_cast<int>(primitive)), names + why);
    sets.count = 0;
  };
  if (sets.count > 0 && known_sets_.count(mesh) == 0 &&
      !gltf::lie_as_written(document_.json, mesh, primitive, sets))
    stay(" held the record of an earlier bake before the file was edited, and may be its own now: they stay");
  Json left = attributes;
  gltf::remove_earlier(sets, left);
  if (sets.count > 0 && !gltf::are_consecutive_with(new_sets(), left))
    stay(" hold the record of an earlier bake, but others were added behind them: they stay, unused");
  gltf::remove_earlier(sets, attributes);
}

Json& Baker::attributes_of(int mesh, int primitive) {
  return document_.json["meshes"][at(mesh)]["primitives"][at(primitive)]["attributes"];
}

// The most bones that a vertex of the primitive has weights of.
int most_bones(gltf::Accessors& accessors, const tinygltf::Primitive& primitive, const std::string& element) {
  std::vector<std::set<double>> bones;
  for (int set = 0;; ++set) {
    const std::string number = std::to_string(set);
    const auto joint = primitive.attributes.find("JOINTS_" + number),
               weight = primitive.attributes.find("WEIGHTS_" + number);
    if (joint == primitive.attributes.end() || weight == primitive.attributes.end()) break;
    const std::vector<double> joints =
        accessors.read(joint->second, gltf::kVertexData, element + " " + joint->first).values;
    const std::vector<double> weights =
        accessors.read(weight->second, gltf::kVertexData, element + " " + weight->first).values;
    bones.resize(std::max(bones.size(), joints.size() / 4));
    for (std::size_t i = 0; i < std::min(joints.size(), weights.size()) / 4 * 4; ++i)
      if (weights[i] != 0) bones[i / 4].insert(joints[i]);
  }
  std::size_t most = 0;
  for (const std::set<double>& of_vertex : bones) most = std::max(most, of_vertex.size());
  return static_cast<int>(most);
}

// 4, with deform frames the bone besides that those want, or 8 where vertices have more; and no less than an earlier bake
// with these options took, whose slots without a weight look like none.
int Baker::usual_influences() const {
  const int fewest = options_.frames ? kFrameSlots : 4;
  Json wanted = gltf::stamp(options_);
  wanted.erase("influences");
  int influences = fewest;
  gltf::Accessors accessors(file_);  // of its own: those read later count again
  for (std::size_t m = 0; m < file_.meshes.size(); ++m) {
    const Json& mesh = document_.json["meshes"][m];
    const Json earlier =
        gltf::has_mark(mesh, wanted) ? gltf::mark_of(mesh).value("influences", Json()) : Json();
    if (earlier.is_number_integer() && (options_.frames || earlier == kMostInfluences))
      influences = std::max(influences, std::clamp(earlier.get<int>(), fewest, kMostInfluences));
    for (std::size_t p = 0; p < file_.meshes[m].primitives.size(); ++p) {
      const tinygltf::Primitive& primitive = file_.meshes[m].primitives[p];
      if (influences == kMostInfluences || !is_skinned(static_cast<int>(m)) ||
          primitive.attributes.count("JOINTS_1") == 0)
        continue;
      if (most_bones(accessors, primitive, element_of(static_cast<int>(m), static_cast<int>(p))) > fewest)
        influences = kMostInfluences;
    }
  }
  return influences;
}

// Of the methods whose deform frames vertex attributes hold.
void require_frames(Method method, FactorLayout layout) {
  const std::string element = "deform frames of " + std::string(row(method).name);
  if (method == Method::lbs)
    throw InputError("", element, "do not exist: it is linear in the bones; bake deform-vectors");
  kernel_row(method, NormalMode::deform_frames);  // or it says which normals the method has
  if (row(method).centre == CentreKind::of_vertex)
    throw InputError(
        "", element,
        "cannot be baked: with a centre of rotation for each frame they take 9 attributes, a vertex with its "
        "own centre 18, and 16 is what every GPU takes; compute them where the character is loaded "
        "(deform_frames()), and read them from a texture");
  if (layout == FactorLayout::texcoord)
    throw InputError(
        "", "layout texcoord",
        "holds no deform frames: sets of texture coordinates have two numbers each, so they would take 12, "
        "and engines read 8 at most; use layout attributes");
}

void Baker::resolve_options() {
  if (options_.frames) require_frames(*options_.frames, options_.layout);
  if (!options_.averaging)
    options_.averaging = options_.frames                               ? DeformFrameOptions().averaging
                         : options_.kind == RecordKind::deform_vectors ? DeformVectorOptions().averaging
                                                                       : DeformFactorOptions().averaging;
  if (options_.influences == 0) options_.influences = usual_influences();
  report_.frames = options_.frames;
  if (options_.frames) {
    if (options_.influences < kFrameSlots || options_.influences > kMostInfluences)
      throw InputError("", "influences " + std::to_string(options_.influences),
                       "must be 5 to 8 for deform frames");
    return;
  }
  if (options_.influences != 4 && options_.influences != kMostInfluences)
    throw InputError("", "influences " + std::to_string(options_.influences), "must be 4 or 8");
  record_cost(options_.kind, options_.layout, options_.format, options_.influences);  // throws
  report_.kind = options_.kind;
}

bool Baker::has_frame(const PrimitiveVertices& p, const char* attribute) {
  const auto found = primitive(p).attributes.find(attribute);
  if (found == primitive(p).attributes.end()) return false;
  if (std::string_view(attribute) == "TANGENT") {
    const auto first = report_.character.mesh().frame_source.begin() + p.first;
    if (!std::all_of(first, first + p.count, [](FrameSource s) { return s == FrameSource::file; }))
      return false;
    // A shader multiplies by w as it is, of which reading took the sign.
    const gltf::Table tangents =
        accessors_.read(found->second, gltf::kVertexData, element_of(p.mesh, p.primitive) + " TANGENT");
    for (std::size_t v = 0; v < tangents.rows; ++v)
      if (std::abs(tangents.row(v)[3]) != 1) return false;
    return true;
  }
  const gltf::Table normals =
      accessors_.read(found->second, gltf::kVertexData, element_of(p.mesh, p.primitive) + " NORMAL");
  for (std::span<const double> rest(normals.values); !rest.empty(); rest = rest.subspan(normals.columns)) {
    const std::span<const double> row = rest.first(normals.columns);
    if (std::all_of(row.begin(), row.end(), [](double x) { return x == 0; })) return false;
  }
  return true;
}

bool is_influence(const std::string& attribute) {
  return attribute.rfind("JOINTS_", 0) == 0 || attribute.rfind("WEIGHTS_", 0) == 0;
}

// Whether the file's joints and weights are those wanted already: dividing by a sum of 1 may move a weight's
// last bit.
bool Baker::has_influences(const PrimitiveVertices& p, const gltf::NamedAttributes& wanted) {
  const auto& attributes = primitive(p).attributes;
  std::size_t present = 0;
  for (const auto& [name, accessor] : attributes)
    if (is_influence(name)) ++present;
  return present == wanted.size() && std::all_of(wanted.begin(), wanted.end(), [&](const auto& attribute) {
           const auto found = attributes.find(attribute.first);
           if (found == attributes.end()) return false;
           const std::vector<double> present_values =
               accessors_.read(found->second, gltf::kVertexData, attribute.first).values;
           return std::equal(present_values.begin(), present_values.end(), attribute.second.values.begin(),
                             attribute.second.values.end(), [](double a, double b) {
                               return std::abs(a - b) <= std::numeric_limits<float>::epsilon();
                             });
         });
}

void Baker::set(Json& attributes, const std::string& name, const PrimitiveVertices& p, const PerUnit& scale,
                const std::function<gltf::NewAttribute()>& make) {
  const auto [known, is_new] = made_.try_emplace({p.first, scale.per_length, scale.pure, name});
  if (is_new) {
    const gltf::NewAttribute attribute = make();
    known->second = gltf::add_attribute(document_, attribute);
    digest_.add_accessor(known->second, attribute);
  }
  attributes[name] = known->second;
}

void Baker::bake_primitive(const PrimitiveVertices& p, const PerUnit& scale, int first_texcoord) {
  Json& attributes = attributes_of(p.mesh, p.primitive);
  const RiggedMesh& mesh = report_.character.mesh();
  if (!has_frame(p, "NORMAL")) {
    set(attributes, "NORMAL", p, {}, [&] { return gltf::baked_normals(mesh, p); });
    ++report_.normals;
  }
  if (!has_frame(p, "TANGENT")) {
    set(attributes, "TANGENT", p, {}, [&] { return gltf::baked_tangents(mesh, p); });
    ++report_.tangents;
  }
  gltf::NamedAttributes influences = gltf::baked_influences(report_, p);
  const CornerSums corners = corner_sums(p, influences);
  if (!has_influences(p, influences)) {
    for (auto item = attributes.begin(); item != attributes.end();)
      item = is_influence(item.key()) ? attributes.erase(item) : std::next(item);
    for (auto& named : influences)
      set(attributes, named.first, p, {}, [&] { return std::move(named.second); });
    ++report_.influences;
  }
  if (options_.frames) {
    const FrameRecord& frames = report_.frame_record();
    for (auto& named : gltf::baked_frames(frames, p, options_.format))
      set(attributes, named.first, p, {}, [&] { return std::move(named.second); });
  } else {
    for (const gltf::RecordAttribute& attribute :
         gltf::record_attributes(options_.kind, options_.layout, report_.record().slots, first_texcoord))
      set(attributes, attribute.name, p, scale,
          [&] { return gltf::baked_record(report_, p, options_, scale, attribute); });
  }
  constexpr int kMostSets = 8;  // that engines read
  const auto sets = std::count_if(attributes.items().begin(), attributes.items().end(),
                                  [](const auto& a) { return a.key().rfind("TEXCOORD_", 0) == 0; });
  if (options_.layout == FactorLayout::texcoord && sets > kMostSets)
    warn(report_.warnings, element_of(p.mesh, p.primitive),
         "has " + std::to_string(sets) + " sets of texture coordinates now, and engines read " +
             std::to_string(kMostSets) + " at most");
  report_.attributes = std::max(report_.attributes, static_cast<int>(attributes.size()));
  ++report_.primitives;
  mark_primitive(p, corners);  // moves the primitive's members: attributes is gone
}

std::vector<int> every_vertex(int count) {
  std::vector<int> vertices(at(count));
  std::iota(vertices.begin(), vertices.end(), 0);
  return vertices;
}

// Of the triangles, which strips and fans draw as others do: vertices of the primitive, counted from its first.
std::vector<int> Baker::corners_of(const PrimitiveVertices& p) {
  const std::string element = element_of(p.mesh, p.primitive);
  std::vector<int> vertices = every_vertex(p.count);
  if (primitive(p).indices != -1) {
    const std::vector<double> indices =
        accessors_.read(primitive(p).indices, gltf::kVertexData, element + " indices").values;
    vertices.assign(indices.begin(), indices.end());
  }
  std::vector<int> corners;
  for (const Face& face : gltf::triangles(primitive(p).mode, vertices.size(), element))
    for (const int corner : face) corners.push_back(vertices[at(corner)]);
  return corners;
}

// The longest side of the box around the positions of such vertices, as a reader gets them.
double Baker::extent_of(const PrimitiveVertices& p, const std::vector<int>& vertices) const {
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int v : vertices) {
      low = std::min(low, report_.character.mesh().p0[at(p.first + v)][axis]);
      high = std::max(high, report_.character.mesh().p0[at(p.first + v)][axis]);
    }
    extent = std::max(extent, high - low);
  }
  return extent;
}

// Over corners, which vertices that are merged, split or reordered leave as they are.
CornerSums Baker::corner_sums(const PrimitiveVertices& p, const gltf::NamedAttributes& influences) {
  std::vector<double> joints(at(p.count));
  for (const auto& [name, attribute] : influences) {
    if (name.rfind("JOINTS_", 0) != 0) continue;
    const std::size_t first = 4 * std::stoul(name.substr(7));
    for (std::size_t i = 0; i < attribute.values.size(); ++i)
      joints[i / 4] += static_cast<double>(first + i % 4 + 1) * attribute.values[i];
  }
  const RiggedMesh& mesh = report_.character.mesh();
  CornerSums sums;
  double weights = 0;
  const auto add = [&](std::size_t vertex) {
    const double weight = 1 + joints.at(vertex);
    sums.joints += joints[vertex];
    weights += weight;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sums.frame[axis] += weight * mesh.n0[at(p.first) + vertex][static_cast<int>(axis)];
      sums.frame[3 + axis] += weight * mesh.t0[at(p.first) + vertex][static_cast<int>(axis)];
    }
  };
  for (const int corner : corners_of(p)) add(at(corner));
  for (double& mean : sums.frame) mean /= std::max(weights, 1.0);  // without corners they are 0
  return sums;
}

// What tells a shader whether its record still fits. Tools that quantise positions change the unit of length, and alpha
// and beta are per length; others drop joints of weight 0, or sort slots, turn the mesh at rest, or make normals and
// tangents anew. Vertices that no triangle uses say nothing of the unit, since tools drop them; where they reach further the
// mark says that they do not count, as they once did.
void Baker::mark_primitive(const PrimitiveVertices& p, const CornerSums& corners) {
  Json& own = document_.json["meshes"][at(p.mesh)]["primitives"][at(p.primitive)];
  if (own.contains("extras") && !own["extras"].is_object()) return;
  const double extent = extent_of(p, corners_of(p));
  Json& mark = own["extras"]["skinlight"];
  mark = {{"extent", extent}, {"joint_sum", corners.joints}, {"frame", corners.frame}};
  if (extent != extent_of(p, every_vertex(p.count))) mark["extent_of"] = "triangles";
}

// The largest sizes of the deform frames of one mesh.
PerUnit largest_of_frames(const FrameRecord& frames, const std::vector<PrimitiveVertices>& primitives) {
  PerUnit range;
  for (const PrimitiveVertices& p : primitives)
    for (int v = p.first; v < p.first + p.count; ++v) {
      const PerUnit largest = largest_numbers(frames, v);
      range.pure = std::max(range.pure, largest.pure);
      range.per_length = std::max(range.per_length, largest.per_length);
    }
  return range;
}

// The largest sizes that the primitives of one mesh hold.
PerUnit largest_of(const BakeReport& report, const std::vector<PrimitiveVertices>& primitives) {
  PerUnit range;
  const NormalRecord& record = report.record();
  for (const gltf::RecordAttribute& attribute :
       gltf::record_attributes(report.kind, FactorLayout::attributes, record.slots, 0))
    for (const gltf::VertexNumber& n : attribute.numbers) {
      double& largest = range.of(row(n.quantity).unit);
      for (const PrimitiveVertices& p : primitives)
        for (int v = p.first; v < p.first + p.count; ++v)
          largest =
              std::max(largest, std::abs(number_of(record, n.quantity, record.at(v, n.slot), n.component)));
    }
  return range;
}

// The primitives of one mesh share a scale, so that a shader needs one uniform.
void Baker::bake_mesh(const std::vector<PrimitiveVertices>& primitives) {
  const int m = primitives.front().mesh;
  Json& mesh = document_.json["meshes"][at(m)];
  if (mesh.contains("extras") && !mesh["extras"].is_object())
    throw InputError("", "mesh " + std::to_string(m) + " extras",
                     "is no object, so nothing can be added to it");
  if (mesh.contains("extras") && mesh["extras"].contains("skinlight"))
    warn(report_.warnings, "mesh " + std::to_string(m),
         "was baked before, with other options or before an edit; the earlier data stay in the file, unused");
  if (gltf::has_earlier_sides(mesh))
    warn(
        report_.warnings, "mesh " + std::to_string(m),
        "was baked by an earlier version, whose tangents have w of the wrong sign; bake the original file instead");
  const PerUnit largest = options_.frames ? largest_of_frames(report_.frame_record(), primitives)
                                          : largest_of(report_, primitives);
  if (!(std::max(largest.per_length, largest.pure) <= std::numeric_limits<float>::max()))
    throw InputError("", "mesh " + std::to_string(m),
                     "is so small that its deform factors leave the range of float");
  const PerUnit scale = storage_scales(options_.format, largest);

  Json first_texcoords = Json::array();
  for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
    Json& attributes = mesh["primitives"][p]["attributes"];
    remove_earlier(m, p);
    const auto baked = std::find_if(primitives.begin(), primitives.end(), [&](const PrimitiveVertices& q) {
      return q.primitive == static_cast<int>(p);
    });
    if (baked == primitives.end()) {
      first_texcoords.push_back(nullptr);
      continue;
    }
    const int own = gltf::first_free_set(new_sets(), attributes);
    first_texcoords.push_back(own);
    if (!options_.frames) report_.ranges.push_back({baked->first, baked->count, largest});
    bake_primitive(*baked, scale, own);
  }
  Json mark = gltf::stamp(options_);
  if (!options_.frames) {  // whose vertices have scales of their own
    const gltf::Decoding decoding = gltf::decoding(options_, scale.per_length);
    mark["scale"] = decoding.scale;
    mark["offset"] = decoding.offset;
  }
  if (!options_.frames && options_.kind != RecordKind::deform_factors)
    mark[options_.kind == RecordKind::smoothed ? "weight_scale" : "vector_scale"] =
        gltf::decoding(options_, scale.pure).scale;
  if (options_.layout == FactorLayout::texcoord) mark["first_texcoord"] = first_texcoords;
  mesh["extras"]["skinlight"] = mark;
  ++report_.meshes;
}

BakeReport Baker::run() {
  gltf::WriteOptions write{options_.force};
  OutputFile target = gltf::claim_target(in_, out_, write);
  if (!options_.force) write.record_uris = gltf::require_earlier_result(out_);
  document_ = gltf::parse_document(bytes_, in_);
  resolve_options();
  // What is a file is read again where it is copied as it is: until then its bytes need no memory.
  if (!fs::is_regular_file(in_)) document_.bytes.swap(bytes_);
  std::string().swap(bytes_);
  std::vector<PrimitiveVertices> all;
  Model model = gltf::read_model(
      file_, in_.stem().string(),
      {.max_influences = options_.influences, .missing_normals = options_.missing_normals}, &all);
  report_.warnings = model.warnings;
  gltf::write_decoded(document_, file_, report_.warnings);
  report_.character = Character(std::move(model),
                                {.max_slots = options_.influences,
                                 .averaging = options_.averaging,
                                 .gradients = false,
                                 .smooth_weights = options_.kind == RecordKind::smoothed},
                                options_.threads);
  const std::vector<PrimitiveVertices> primitives = gltf::one_skin_per_mesh(all);
  report_.unchanged = is_stamped(primitives);
  if (!report_.unchanged) {
    tell("computing what normals need");
    report_.of_own_joints = gltf::record_of_own_joints(report_, primitives, report_.warnings);
    std::map<int, std::vector<PrimitiveVertices>> by_mesh;
    for (const PrimitiveVertices& p : primitives) by_mesh[p.mesh].push_back(p);
    find_known_sets(primitives);
    for (const auto& [mesh, of_mesh] : by_mesh) bake_mesh(of_mesh);
    for (const auto& [mesh, of_mesh] : by_mesh)
      document_.json["meshes"][at(mesh)]["extras"]["skinlight"]["digest"] =
          digest_.of_mesh(mesh, document_.json, of_mesh);
    gltf::mark_asset(document_.json);
  }
  tell("writing " + out_.string());
  report_.written =
      gltf::write_document(std::move(document_), file_, out_, std::move(target), write, report_.warnings);
  return std::move(report_);
}

}  // namespace

std::string_view name(FactorLayout layout) { return kLayouts[static_cast<std::size_t>(layout)].name; }

FactorLayout factor_layout_from_name(std::string_view name) {
  return row_named(kLayouts, name, "layout").layout;
}

NumberFormat number_format_from_name(std::string_view name) {
  return row_named(kNumberFormats, name, "format").format;
}

BakeReport bake_gltf(const fs::path& in, const fs::path& out, const BakeOptions& options,
                     const std::function<void(const std::string&)>& progress) {
  try {
    return Baker(in, out, options, progress).run();
  } catch (const InputError& e) {
    throw e.in_file(in.string());
  } catch (const Json::exception& e) {
    throw InputError(in.string(), "JSON", e.what());
  }
}

}  // namespace skinlight
