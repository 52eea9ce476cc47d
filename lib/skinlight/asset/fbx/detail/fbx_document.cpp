#include "skinlight/asset/fbx/detail/fbx_document.h"

#include <cmath>
#include <utility>

namespace skinlight::fbx {

namespace {

constexpr std::size_t kFirstValue = 4;  // of a "P": after its name, type, label and flags

// Binary files write "Hips\0\1Model", text "Model::Hips".
std::string plain_name(std::string_view written) {
  if (const std::size_t end = written.find(std::string_view("\0\1", 2)); end != std::string_view::npos)
    return std::string(written.substr(0, end));
  if (const std::size_t colons = written.find("::"); colons != std::string_view::npos)
    return std::string(written.substr(colons + 2));
  return std::string(written);
}

}  // namespace

Properties::Properties(const Element* element, const Properties* defaults) : defaults_(defaults) {
  const Element* list = element == nullptr ? nullptr : element->child("Properties70");
  if (list == nullptr) return;
  for (const Element& property : list->children)
    if (property.name == "P") own_.try_emplace(text(property, 0), &property);
}

const Element* Properties::find(std::string_view name) const {
  if (const auto found = own_.find(name); found != own_.end()) return found->second;
  return defaults_ == nullptr ? nullptr : defaults_->find(name);
}

double Properties::real(std::string_view name, double otherwise, const std::string& where) const {
  const Element* property = find(name);
  const double value = property == nullptr ? otherwise : fbx::real(*property, kFirstValue, otherwise);
  if (!std::isfinite(value)) throw InputError("", where + " " + std::string(name), "is not finite");
  return value;
}

std::int64_t Properties::integer(std::string_view name, std::int64_t otherwise) const {
  const Element* property = find(name);
  return property == nullptr ? otherwise : fbx::integer(*property, kFirstValue, otherwise);
}

Vec3d Properties::vector(std::string_view name, Vec3d otherwise, const std::string& where) const {
  const Element* property = find(name);
  if (property == nullptr) return otherwise;
  Vec3d v;
  for (int i = 0; i < 3; ++i)
    v[i] = fbx::real(*property, kFirstValue + static_cast<std::size_t>(i), otherwise[i]);
  if (!is_finite(v)) throw InputError("", where + " " + std::string(name), "is not finite");
  return v;
}

std::string Object::label() const {
  return std::string(kind) + " " + std::to_string(id) + (name.empty() ? "" : " (" + shown(name) + ")");
}

Document::Document(File file) : file_(std::move(file)) {
  if (const Element* settings = root().child("GlobalSettings")) settings_ = Properties(settings);
  read_templates();
  read_objects();
  read_connections();
  read_application();
}

void Document::read_templates() {
  const Element* definitions = root().child("Definitions");
  if (definitions == nullptr) return;
  for (const Element& type : definitions->children)
    if (const Element* defaults = type.name == "ObjectType" ? type.child("PropertyTemplate") : nullptr)
      templates_.try_emplace(text(type, 0), Properties(defaults));
}

void Document::read_objects() {
  const Element* list = root().child("Objects");
  if (list == nullptr) throw InputError("", "Objects", "the file has none");
  objects_.reserve(list->children.size());
  for (const Element& element : list->children) {
    Object object;
    object.id = integer(element, 0);
    object.kind = element.name;
    object.name = plain_name(text(element, 1));
    object.type = text(element, 2);
    object.element = &element;
    const auto defaults = templates_.find(object.kind);
    object.properties = Properties(&element, defaults == templates_.end() ? nullptr : &defaults->second);
    if (object.id == 0) continue;  // objects without an id cannot be connected
    if (!by_id_.try_emplace(object.id, objects_.size()).second)
      throw InputError("", object.label(), "has the id of another object");
    objects_.push_back(std::move(object));
  }
}

void Document::read_connections() {
  const Element* list = root().child("Connections");
  if (list == nullptr) return;
  const auto object_of = [&](std::int64_t id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &objects_[found->second];
  };
  for (const Element& connection : list->children) {
    const std::string_view kind = text(connection, 0);
    if (kind != "OO" && kind != "OP") continue;  // between properties: nothing that is read here
    const std::int64_t child = integer(connection, 1), parent = integer(connection, 2);
    const Object *from = object_of(child), *to = object_of(parent);
    if (from == nullptr || (to == nullptr && parent != 0)) continue;  // to what the file does not hold
    const std::string_view property = kind == "OP" ? text(connection, 3) : std::string_view();
    children_[parent].push_back({from, property});
    if (to != nullptr) parents_[child].push_back({to, property});
  }
}

void Document::read_application() {
  const Element* header = root().child("FBXHeaderExtension");
  const Element* info = header == nullptr ? nullptr : header->child("SceneInfo");
  const Properties properties(info);
  for (const char* name : {"LastSaved|ApplicationName", "Original|ApplicationName"})
    if (const Element* property = properties.find(name); property != nullptr && application_.empty())
      application_ = text(*property, kFirstValue);
}

std::span<const Link> Document::children_of(std::int64_t id) const {
  const auto found = children_.find(id);
  return found == children_.end() ? std::span<const Link>() : std::span<const Link>(found->second);
}

std::span<const Link> Document::parents_of(std::int64_t id) const {
  const auto found = parents_.find(id);
  return found == parents_.end() ? std::span<const Link>() : std::span<const Link>(found->second);
}

std::vector<const Object*> Document::children(const Object& of, std::string_view kind,
                                              std::string_view type) const {
  std::vector<const Object*> found;
  for (const Link& link : children_of(of.id))
    if (link.object->kind == kind && (type.empty() || link.object->type == type))
      found.push_back(link.object);
  return found;
}

const Object* Document::parent(const Object& of, std::string_view kind) const {
  for (const Link& link : parents_of(of.id))
    if (link.object->kind == kind && link.property.empty()) return link.object;
  return nullptr;
}

}  // namespace skinlight::fbx
