// The objects of an FBX file, what they are connected to, and their properties.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_element.h"
#include "skinlight/core/error.h"
#include "skinlight/core/glsl.h"

namespace skinlight::fbx {

// Properties70 of an element, found by name; those of a template stand in for what an object does not say.
class Properties {
 public:
  Properties() = default;
  explicit Properties(const Element* element, const Properties* defaults = nullptr);

  // The element "P" of a name: its values stand from index 4 on. Null where neither has it.
  const Element* find(std::string_view name) const;

  // Throw InputError naming `where` and the property when a number is not finite.
  double real(std::string_view name, double otherwise, const std::string& where) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  Vec3d vector(std::string_view name, Vec3d otherwise, const std::string& where) const;

 private:
  std::map<std::string_view, const Element*> own_;
  const Properties* defaults_ = nullptr;
};

// One object: "Model", "Geometry", "Deformer", "AnimationCurve" ...
struct Object {
  std::int64_t id = 0;
  std::string_view kind;  // the element's name
  std::string name;       // without the class that stands beside it
  std::string_view type;  // "Mesh", "LimbNode", "Skin", "Cluster" ...
  const Element* element = nullptr;
  Properties properties;

  std::string label() const;  // "Model 17 (Hips)"
};

// A connection as seen from one of its ends: the object at the other end, and the property that it concerns.
struct Link {
  const Object* object = nullptr;
  std::string_view property;
};

class Document {
 public:
  // Throws InputError for a file without objects, and for two objects of one id.
  explicit Document(File file);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  bool is_text() const { return file_.is_text; }
  const Element& root() const { return file_.root; }
  const Properties& settings() const { return settings_; }
  // The program that wrote the file, as "Maya"; may be empty.
  const std::string& application() const { return application_; }

  // In the file's order.
  const std::vector<Object>& objects() const { return objects_; }
  // Objects connected as children of one, in the file's order; id 0 is the scene's root.
  std::span<const Link> children_of(std::int64_t id) const;
  std::span<const Link> parents_of(std::int64_t id) const;
  // Children of one kind (and type, where given); the first parent that is not one through a property.
  std::vector<const Object*> children(const Object& of, std::string_view kind,
                                      std::string_view type = "") const;
  const Object* parent(const Object& of, std::string_view kind) const;

 private:
  void read_templates();
  void read_objects();
  void read_connections();
  void read_application();

  File file_;
  std::map<std::string_view, Properties> templates_;  // by kind
  Properties settings_;
  std::string application_;
  std::vector<Object> objects_;
  std::map<std::int64_t, std::size_t> by_id_;
  std::map<std::int64_t, std::vector<Link>> children_, parents_;
};

}  // namespace skinlight::fbx
