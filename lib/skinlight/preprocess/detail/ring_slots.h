// The slots of one surface vertex, as deform factors and deform vectors both choose them [TPS14 Sec. 3.2]:
// the mesh's own set, then the one-ring's other bones by descending size. Inside this room only.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/slots.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// A size below this share of the vertex's largest is rounding of terms that cancel exactly, not an influence.
inline constexpr double kNegligibleShare = 1e-12;

// Of: what is known of one bone, with a member `bone`; Of{bone} is nothing.
template <class Of>
struct RingSlots {
  struct Outside {
    Of of;
    double squared_size;
  };
  std::vector<Of> own;
  std::vector<Outside> outside;
  double largest = 0;  // size

  // around: the bones of the one-ring, none when it has no area; squared_size(Of): what ranks them;
  // alone(bone, weight): what stands for a bone of a vertex that has no area around it.
  template <class SquaredSize, class Alone>
  void gather(const RiggedMesh& mesh, int vertex, const std::vector<Of>& around, SquaredSize squared_size,
              Alone alone) {
    own.clear();
    outside.clear();
    const auto bones = mesh.bones_of(vertex);
    const auto weights = mesh.weights_of(vertex);
    for (std::size_t k = 0; k < weights.size() && weights[k] > 0; ++k)
      own.push_back(around.empty() ? alone(bones[k], weights[k]) : Of{bones[k]});
    if (own.empty())
      throw InputError("", "vertex " + std::to_string(vertex),
                       "has no positive weight; normalise the weights first");
    double largest_squared = 0;
    for (const Of& one : around) {
      const double size = squared_size(one);
      largest_squared = std::max(largest_squared, size);
      const auto mine = std::find_if(own.begin(), own.end(), [&](const Of& o) { return o.bone == one.bone; });
      if (mine != own.end())
        *mine = one;
      else
        outside.push_back({one, size});
    }
    largest = std::sqrt(largest_squared);
    std::erase_if(
        outside, [&](const Outside& o) { return !(std::sqrt(o.squared_size) > kNegligibleShare * largest); });
    std::sort(outside.begin(), outside.end(), [](const Outside& a, const Outside& b) {
      return a.squared_size != b.squared_size ? a.squared_size > b.squared_size : a.of.bone < b.of.bone;
    });
  }

  int size() const { return static_cast<int>(own.size() + outside.size()); }

  // Keeps what fits, reports and returns the rest.
  std::vector<Outside> drop(int max_slots, int file_vertex, Overflow& overflow) {
    const auto room = static_cast<std::size_t>(max_slots) - own.size();
    if (outside.size() <= room) return {};
    std::vector<Outside> dropped(outside.begin() + static_cast<std::ptrdiff_t>(room), outside.end());
    outside.resize(room);
    ++overflow.vertices;
    overflow.bones += static_cast<int>(dropped.size());
    const double lost = std::sqrt(dropped[0].squared_size), share = lost / largest;
    overflow.largest = std::max(overflow.largest, lost);
    if (share > overflow.largest_share) {
      overflow.largest_share = share;
      overflow.worst_vertex = file_vertex;
    }
    return dropped;
  }

  // Slot `slot`, or `unused` beyond the last.
  const Of& at(int slot, const Of& unused) const {
    const auto k = static_cast<std::size_t>(slot);
    if (k < own.size()) return own[k];
    return k - own.size() < outside.size() ? outside[k - own.size()].of : unused;
  }
};

// The report of two disjoint sets of vertices, whatever their order.
inline void merge(const Overflow& part, Overflow& whole) {
  whole.vertices += part.vertices;
  whole.bones += part.bones;
  whole.largest = std::max(whole.largest, part.largest);
  const bool worse = part.largest_share > whole.largest_share ||
                     (part.largest_share == whole.largest_share && part.worst_vertex < whole.worst_vertex);
  if (part.worst_vertex >= 0 && worse) {
    whole.largest_share = part.largest_share;
    whole.worst_vertex = part.worst_vertex;
  }
}

// The file vertices of each surface vertex as lists: from the representative on, next[v], until -1.
inline std::vector<int> twin_lists(const Surface& surface) {
  std::vector<int> next(static_cast<std::size_t>(surface.file_vertex_count()), -1);
  std::vector<int> last(static_cast<std::size_t>(surface.vertex_count()), -1);
  for (int v = 0; v < surface.file_vertex_count(); ++v) {
    int& before = last[static_cast<std::size_t>(surface.vertex_of(v))];
    if (before >= 0) next[static_cast<std::size_t>(before)] = v;
    before = v;
  }
  return next;
}

// The slots per vertex: max_slots, or what the widest vertex needs. gather(surface_vertex, slots) fills the
// slots of one vertex. Throws InputError for a limit out of range or below the mesh's own influences.
template <class Of, class Gather>
int slot_count(const RiggedMesh& mesh, const Surface& surface, int max_slots, Gather gather) {
  if (max_slots < 0 || max_slots > kMaxSlots)
    throw InputError("", "slot limit " + std::to_string(max_slots),
                     "must be 0 (all) to " + std::to_string(kMaxSlots));
  int slots = max_slots;
  if (max_slots == kAllSlots) {
    RingSlots<Of> of_vertex;
    slots = mesh.slots;
    for (int v = 0; v < surface.vertex_count(); ++v) {
      gather(v, of_vertex);
      slots = std::max(slots, of_vertex.size());
    }
    slots = std::min(slots, kMaxSlots);
  }
  if (mesh.slots > slots)
    throw InputError("", "mesh",
                     "has " + std::to_string(mesh.slots) + " influences per vertex, more than the " +
                         std::to_string(slots) + " slots; limit the influences first");
  return slots;
}

}  // namespace skinlight
