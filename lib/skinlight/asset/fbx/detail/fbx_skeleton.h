// From the Models of an FBX file to nodes with translation, rotation and scale, and their channels.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_clips.h"
#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/asset/fbx/detail/fbx_track.h"
#include "skinlight/asset/fbx/detail/fbx_transform.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight::fbx {

// An FBX node becomes one to three nodes of the library, so that its transform stays what it is in every pose:
// one that turns (about its pivot) and one that scales where pivots or InheritType keep the two apart. The
// last has its name.
class SkeletonBuilder {
 public:
  // All must outlive this. `used`: the Models whose transforms are wanted; their ancestors are built, too.
  // Throws InputError naming a Model that is its own ancestor, and as read_transform() does.
  SkeletonBuilder(const Document& document, const std::vector<Stack>& stacks,
                  const std::set<const Object*>& used, Skeleton& skeleton, std::vector<Warning>& warnings);

  // The library's node that moves as a Model does.
  int node_of(const Object* model) const { return scene_.at(model).full; }

  // Whether a Model's transform in the scene changes in some clip.
  bool is_moved(const Object* model) const;

  // Further nodes that move as `models` would if node `below` carried their scene.
  std::map<const Object*, int> copy_below(int below, const std::set<const Object*>& models,
                                          const std::string& suffix);

  // The clips' channels of all nodes that were made.
  std::vector<Clip> clips();

 private:
  struct Made {
    int frame = -1;  // without the scale that children may not inherit; -1 where none needs it
    int full = -1;
  };
  using Instance = std::map<const Object*, Made>;
  struct Item {  // a Model
    const Object* parent = nullptr;
    Transform transform;
    bool keeps_scale_of_one = true, is_uniform = true;  // its own scaling, in every clip
    bool turns = false, scales = false;                 // has keys for it in some clip
    bool is_special = false;                            // inherits scale in a way that matrices do not
    bool needs_frame = false;
    std::vector<const Object*> inherited;  // whose scalings act on its frame's contents besides its own
  };
  // A property of one of the library's nodes, as it follows from FBX properties in a clip (or in none).
  using Formula = std::function<Motion(const Stack*, double, double)>;
  struct Drive {
    int node;
    Path path;
    Formula formula;
    std::vector<std::pair<const Object*, std::string_view>> depends_on;
  };

  void read_items(const std::set<const Object*>& used);
  void find_scales(Item& item, const Object* model);
  void find_inheritance(Item& item, const Object* model);
  void build(const std::vector<const Object*>& models, int below, const std::string& suffix,
             Instance& instance);
  int add_node(const std::string& name, int parent);
  void drive(int node, Path path, Formula formula,
             std::vector<std::pair<const Object*, std::string_view>> depends_on);

  Moving property(const Object* model, std::string_view name, const Stack* stack, double time,
                  double inside) const;
  Motion turn_of_node(const Object* model, const Stack* stack, double time, double inside) const;
  Moving scaling_of(const std::vector<const Object*>& models, const Stack* stack, double time,
                    double inside) const;
  Moving place_of(const Object* model, const Stack* stack, double time, double inside) const;

  const Document& document_;
  const std::vector<Stack>& stacks_;
  Skeleton& skeleton_;
  std::vector<Warning>& warnings_;
  std::map<const Object*, Item> items_;
  std::vector<const Object*> order_;  // parents before children
  Instance scene_;
  std::vector<Drive> drives_;
};

}  // namespace skinlight::fbx
