// Judges normals and tangents that another program made of a rig and a pose: how far they are from the truth,
// and which of the usual mistakes explains them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skinlight/audit/diagnosis.h"
#include "skinlight/character/rig_arrays.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight {

// Everything as arrays; what may be empty says so. V vertices, split as the other program has them.
struct JudgeInput {
  RigArrays rig;
  std::vector<Mat4x3d> pose;  // one rest-to-pose transform per bone: posed world times inverse bind
  std::vector<Vec3d> posed;   // V by 3, their posed positions, or empty: posed by `method`
  // What moves the rig before its bones do; the rig's own arrays know nothing of it, and the true normals are its rest normals
  // carried along by both. One weight per target.
  std::vector<MorphTarget> morphs;
  std::vector<double> morph_weights;

  std::vector<Vec3d> normals;   // V by 3, theirs, any length but 0
  std::vector<Vec3d> tangents;  // V by 3, theirs, or empty
  std::vector<double> sides;    // V, theirs, or empty

  std::vector<int>
      first_bones;  // V: of the slot that comes first in the file, or empty: the first one of the rig's bones

  Method method = Method::lbs;
  int influences = 0;                  // bones per vertex that are kept, the strongest; 0: all of the rig's
  int slots = 4;                       // of the deform factors; at least the influences that are kept
  double tolerance = kUsualTolerance;  // degrees: what counts as explained
  int threads = 0;
};

// Signs of posed bitangents against those that the frames have.
struct SideFinding {
  int wrong = 0;          // vertices
  int mirrored = 0;       // vertices whose frames are mirrored: without any, a lost sign does not show
  bool lost = false;      // one sign everywhere where both should be
  bool reversed = false;  // wrong everywhere
};

// What is known about their normals, or tangents.
struct Judged {
  NormalError transported;  // against the rest vectors carried by the posed triangles
  NormalError recomputed;   // against normals computed from the posed triangles; of normals only
  Diagnosis diagnosis;
  Lengths lengths;
};

struct Judgement {
  int vertices = 0, welded = 0, faces = 0, bones = 0, influences = 0;
  Method method = Method::lbs;
  double tolerance = kUsualTolerance;
  // Their posed positions against the method's: the largest distance as a share of the posed bounding box's
  // diagonal; -1 where none were given.
  double position_offset = -1;
  int position_offset_vertex = -1;
  Judged normals;
  bool has_tangents = false, has_sides = false;
  Judged tangents;    // with has_tangents
  SideFinding sides;  // with has_sides
  std::vector<Warning> warnings;
};

// Throws InputError; its element is the array's name as above ("rest normals") and, where one entry is to
// blame, that entry ("normals, vertex 12").
Judgement judge(const JudgeInput& input);

// What `skinlight judge` prints, several lines.
std::string judgement_text(const Judgement& judgement);

}  // namespace skinlight
