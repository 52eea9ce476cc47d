#include "skinlight/bake/detail/gltf_stamp.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "skinlight/bake/detail/gltf_baked.h"
#include "skinlight/bake/detail/gltf_frames.h"
#include "skinlight/bake/detail/gltf_record.h"
#include "skinlight/core/file.h"

namespace skinlight::gltf {

namespace {

// What the numbers of a record mean. 2: in the frame whose bitangent is glTF's, w n x t with TANGENT.w; 1, which marks
// did not say: of the opposite side wherever bake had written TANGENT.
constexpr int kRecordVersion = 2;

bool has_sets(const Json& attributes, const TexcoordSets& sets) {
  for (int set = sets.first; set < sets.first + sets.count; ++set)
    if (!attributes.contains(texcoord_name(set))) return false;
  return true;
}

TexcoordSets sets_of_mark(const Json& mark, std::size_t primitive) {
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

bool is_record(const std::string& attribute, const TexcoordSets& sets) {
  if (attribute.rfind("_DEFORM_", 0) == 0) return true;
  for (int set = sets.first; set < sets.first + sets.count; ++set)
    if (attribute == texcoord_name(set)) return true;
  return false;
}

// Whether somewhere in the JSON an integer of that name meets the condition.
template <class Condition>
bool any_number(const Json& json, const std::string& name, const Condition& is_meant) {
  if (!json.is_structured()) return false;
  for (const auto& [key, value] : json.items())
    if ((key == name && value.is_number_integer() && is_meant(value)) || any_number(value, name, is_meant))
      return true;
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
        if (!is_record(name, sets_of_mark(mark, p))) continue;
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
    if (!is_new && p.skin.joint_count() < known->second.joint_count()) known->second = p.skin;
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

TexcoordSets earlier_sets(const Json& mesh, std::size_t primitive) {
  return sets_of_mark(mark_of(mesh), primitive);
}

Json without_later_sets(const Json& document) {
  Json known = {{"meshes", document["meshes"]}};
  for (Json& mesh : known["meshes"])
    for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
      const TexcoordSets sets = earlier_sets(mesh, p);
      Json& attributes = mesh["primitives"][p]["attributes"];
      for (int set = sets.first + sets.count; sets.count > 0 && attributes.contains(texcoord_name(set));
           ++set)
        attributes.erase(texcoord_name(set));
    }
  return known;
}

bool lie_as_written(const Json& document, int mesh, std::size_t primitive, const TexcoordSets& sets) {
  const Json& own = document["meshes"][static_cast<std::size_t>(mesh)];
  const Json &json = own["primitives"][primitive], &attributes = json["attributes"];
  if (!has_sets(attributes, sets)) return false;
  const Json format = mark_of(own).value("format", Json());
  const auto* const known =
      std::find_if(kNumberFormats.begin(), kNumberFormats.end(),
                   [&](const NumberFormatRow& f) { return format.is_string() && format == f.name; });
  if (known == kNumberFormats.end()) return false;
  const NewAttribute like = stored_attribute(known->format, FactorLayout::texcoord, 2, {});
  Json earlier;  // the view before
  for (int set = sets.first; set < sets.first + sets.count; ++set) {
    const Json accessor = entry(document, "accessors", attributes[texcoord_name(set)]);
    if (accessor.value("type", Json()) != "VEC2" ||
        accessor.value("componentType", Json()) != like.component_type ||
        accessor.value("normalized", Json(false)) != like.normalized || accessor.contains("byteOffset") ||
        accessor.contains("sparse") || accessor.contains("name"))
      return false;
    const Json view = entry(document, "bufferViews", accessor.value("bufferView", Json()));
    const auto number = [](const Json& of, const char* name) {
      const Json value = of.value(name, Json(0));
      return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
    };
    if (!earlier.is_null() &&
        (view.value("buffer", Json()) != earlier.value("buffer", Json()) ||
         number(view, "byteOffset") != number(earlier, "byteOffset") + number(earlier, "byteLength")))
      return false;
    earlier = view;
  }
  return !any_number(json, "material", [&](const Json& material) {
    return any_number(entry(document, "materials", material), "texCoord",
                      [&](const Json& set) { return set >= sets.first && set < sets.first + sets.count; });
  });
}

bool are_consecutive_with(int count, const Json& attributes) {
  std::set<std::string> names;
  for (const auto& [name, accessor] : attributes.items())
    if (name.rfind("TEXCOORD_", 0) == 0) names.insert(name);
  int first = 0;
  while (names.count(texcoord_name(first)) != 0) ++first;
  for (int set = first; set < first + count; ++set)
    if (!names.insert(texcoord_name(set)).second) return false;
  for (std::size_t set = 0; set < names.size(); ++set)
    if (names.count(texcoord_name(static_cast<int>(set))) == 0) return false;
  return true;
}

int first_free_set(int count, const Json& attributes) {
  int first = 0;
  while (attributes.contains(texcoord_name(first))) ++first;
  if (are_consecutive_with(count, attributes)) return first;
  constexpr std::string_view kTexcoord = "TEXCOORD_";
  for (const auto& [name, accessor] : attributes.items())
    if (name.rfind(kTexcoord, 0) == 0)
      first = std::max(first, std::atoi(name.c_str() + kTexcoord.size()) + 1);
  return first;
}

void remove_earlier(const TexcoordSets& sets, Json& attributes) {
  for (int set = sets.first; set < sets.first + sets.count; ++set) attributes.erase(texcoord_name(set));
  for (const RecordKindRow& record : kRecordKinds)
    for (const RecordAttribute& attribute :
         record_attributes(record.kind, FactorLayout::attributes, kMostInfluences, 0))
      attributes.erase(attribute.name);
  for (const FrameAttribute& attribute : frame_attributes(kMaxFrames, kMaxSlots, NumberFormat::snorm16))
    attributes.erase(attribute.name);
}

}  // namespace skinlight::gltf
