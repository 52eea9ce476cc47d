#include "skinlight/bake/detail/gltf_stamp.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "skinlight/bake/detail/gltf_frames.h"
#include "skinlight/bake/detail/gltf_record.h"
#include "skinlight/core/file.h"

namespace skinlight::gltf {

namespace {

// What the numbers of a record mean. 2: in the frame whose bitangent is glTF's, w n x t with TANGENT.w; 1, which marks
// did not say: of the opposite side wherever bake had written TANGENT.
constexpr int kRecordVersion = 2;

// Numbers of texture coordinate sets that an earlier bake took in each primitive of a mesh: first and count.
std::pair<int, int> earlier_sets(const Json& mark, std::size_t primitive) {
  if (mark.is_null()) return {0, 0};
  const auto first = mark.find("first_texcoord");
  const auto influences = mark.find("influences");
  if (first == mark.end() || !first->is_array() || primitive >= first->size() ||
      !(*first)[primitive].is_number_unsigned() || influences == mark.end() ||
      !influences->is_number_unsigned())
    return {0, 0};
  const auto number = (*first)[primitive].get<std::uint64_t>(), slots = influences->get<std::uint64_t>();
  if (number > 1000 || slots < 1 || slots > static_cast<std::uint64_t>(kMaxSlots)) return {0, 0};
  const auto method = mark.find("method");
  const bool smoothed = method != mark.end() && *method == row(RecordKind::smoothed).name;
  return {
      static_cast<int>(number),
      texcoord_sets(smoothed ? RecordKind::smoothed : RecordKind::deform_factors, static_cast<int>(slots))};
}

// What an index of the file names; {} where it names nothing. The file need not be sound.
Json entry(const Json& document, const char* list, const Json& index) {
  const auto entries = document.find(list);
  if (entries == document.end() || !entries->is_array() || !index.is_number_unsigned() ||
      index.get<std::size_t>() >= entries->size())
    return Json::object();
  const Json& found = (*entries)[index.get<std::size_t>()];
  return found.is_object() ? found : Json::object();
}

bool is_record(const std::string& attribute, const std::pair<int, int>& sets) {
  if (attribute.rfind("_DEFORM_", 0) == 0) return true;
  for (int set = sets.first; set < sets.first + sets.second; ++set)
    if (attribute == "TEXCOORD_" + std::to_string(set)) return true;
  return false;
}

std::vector<std::string> record_uris(const Json& document) {
  std::vector<std::string> uris;
  for (const Json& mesh : document.value("meshes", Json())) {
    const Json mark = mesh.is_object() ? mark_of(mesh) : Json();
    const Json primitives = mesh.is_object() ? mesh.value("primitives", Json()) : Json();
    if (mark.is_null() || !primitives.is_array()) continue;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      if (!primitives[p].is_object()) continue;
      const Json attributes = primitives[p].value("attributes", Json::object());
      for (const auto& [name, index] : attributes.items()) {
        if (!is_record(name, earlier_sets(mark, p))) continue;
        const Json accessor = entry(document, "accessors", index);
        const Json view = entry(document, "bufferViews", accessor.value("bufferView", Json()));
        const Json uri = entry(document, "buffers", view.value("buffer", Json())).value("uri", Json());
        if (uri.is_string()) uris.push_back(uri.get<std::string>());
      }
    }
  }
  return uris;
}

}  // namespace

std::vector<PrimitiveVertices> one_skin_per_mesh(const std::vector<PrimitiveVertices>& primitives) {
  std::map<int, BoundSkin> chosen;
  for (const PrimitiveVertices& p : primitives) {
    const auto [known, is_new] = chosen.try_emplace(p.mesh, p.skin);
    if (!is_new && p.skin.joint_count < known->second.joint_count) known->second = p.skin;
  }
  std::map<std::pair<int, int>, PrimitiveVertices> kept;  // by mesh and primitive
  for (const PrimitiveVertices& p : primitives)
    if (chosen.at(p.mesh).skin == p.skin.skin) kept[{p.mesh, p.primitive}] = p;
  std::vector<PrimitiveVertices> result;
  for (const auto& [key, p] : kept) result.push_back(p);
  return result;
}

Json mark_of(const Json& mesh) {
  const Json extras = mesh.value("extras", Json());
  if (!extras.is_object()) return {};
  const Json mark = extras.value("skinlight", Json());
  return mark.is_object() ? mark : Json();
}

void mark_asset(Json& document) {
  Json& extras = document["asset"]["extras"];
  if (extras.is_null() || extras.is_object())
    extras["skinlight"] = {{"version", SKINLIGHT_VERSION}, {"record", kRecordVersion}};
}

Json stamp(const BakeOptions& options) {
  Json mark = {{"version", SKINLIGHT_VERSION},
               {"record", kRecordVersion},
               {"method", options.frames ? row(NormalMode::deform_frames).name : row(options.kind).name},
               {"influences", options.influences},
               {"averaging", name(options.averaging.value())},
               {"guard", "none"},
               {"tangents", "orthonormal"},
               {"layout", name(options.layout)},
               {"format", row(options.format).name}};
  if (options.frames) {
    mark["frames"] = DeformFrameOptions().frames;
    mark["skinning"] = row(*options.frames).name;
  }
  return mark;
}

bool has_mark(const Json& mesh, const Json& wanted) {
  const Json mark = mark_of(mesh);
  return mark.is_object() && std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& item) {
           return mark.contains(item.key()) && mark[item.key()] == item.value();
         });
}

std::vector<std::string> require_earlier_result(const std::filesystem::path& out) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(out, missing)) return {};
  const std::string bytes = read_file(out);
  const Json json = Json::parse(json_text(bytes), nullptr, false);
  const Json meshes = json.is_object() ? json.value("meshes", Json()) : Json();
  for (const Json& mesh : meshes)
    if (mesh.is_object() && !mark_of(mesh).is_null()) return record_uris(json);
  throw InputError(out.string(), "", "exists and is no earlier result of bake (--force replaces it)");
}

bool has_earlier_sides(const Json& mesh) {
  const Json mark = mark_of(mesh);
  return mark.is_object() && mark.value("record", Json()) != kRecordVersion;
}

void remove_earlier(const Json& mesh, std::size_t primitive, Json& attributes) {
  const auto [first, count] = earlier_sets(mark_of(mesh), primitive);
  for (int set = first; set < first + count; ++set) attributes.erase("TEXCOORD_" + std::to_string(set));
  for (const RecordKindRow& record : kRecordKinds)
    for (const RecordAttribute& attribute :
         record_attributes(record.kind, FactorLayout::attributes, kMostInfluences, 0))
      attributes.erase(attribute.name);
  for (const FrameAttribute& attribute : frame_attributes(kMaxFrames, kMaxSlots, NumberFormat::snorm16))
    attributes.erase(attribute.name);
}

}  // namespace skinlight::gltf
