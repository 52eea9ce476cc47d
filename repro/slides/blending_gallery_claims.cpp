// What the slides say of the blending methods, and what we find beside it.
#include "repro/runner/judgement.h"
#include "repro/slides/blending_gallery.h"

namespace skinlight::repro {

namespace {}  // namespace

std::vector<Claim> blending_gallery_claims() {
  std::vector<Claim> all = {
      {.name = "sbs_equals_dqs_at_revolute_joints",
       .statement = "Spherical and dual quaternion blending are one at revolute joints: largest distance of "
                    "their skins, bends and twists of tube (radius 1) and cuboid",
       .expected = 1e-12,
       .bound = Bound::at_most,
       .value = value_of("sbs_dqs_revolute"),
       .why = "Both turn about the joint's axis, which holds the centre, by the same normalised sum."},
      {.name = "sbs_differs_on_screws",
       .statement =
           "They part where bones slide along the axis they turn about: largest distance, twist of 150 "
           "degrees and a slide of 1",
       .expected = 0.0953,
       .tolerance = 0.001,
       .value = value_of("sbs_dqs_screw"),
       .why = "SBS slides in proportion to the weights, DQS along the screw, faster half way."},
      {.name = "sbs_tears",
       .statement = "SBS tears where the set of bones changes: growth of the largest stretch of an edge when "
                    "edges become four times shorter",
       .expected = 2,
       .bound = Bound::at_least,
       .value = [](const Results& r) { return r.value("stretch_192_sbs") / r.value("stretch_48_sbs"); },
       .why = "A third bone sets in with weight 0, but the centre of three bones is another one than that of "
              "two, so the skin jumps."},
      {.name = "dqs_does_not_tear",
       .statement = "DQS does not: the same growth",
       .expected = 1.1,
       .bound = Bound::at_most,
       .value = [](const Results& r) { return r.value("stretch_192_dqs") / r.value("stretch_48_dqs"); },
       .why = "A bone of weight 0 does nothing there."},
      {.name = "log_has_uniform_speed",
       .statement =
           "Log-matrix blending turns in proportion to the weights: largest lead in degrees, twist of "
           "150",
       .paper_value = 0,
       .expected = 1e-9,
       .bound = Bound::at_most,
       .value = value_of("uneven_log"),
       .why = "About one axis logarithms are angles."},
      {.name = "dqs_has_not",
       .statement =
           "Dual quaternions do not interpolate at uniform speed: largest lead in degrees, twist of 150",
       .expected = 4.50,
       .tolerance = 0.02,
       .value = value_of("uneven_dqs"),
       .why = "The angle runs along the chord between two quaternions, not the arc."},
      {.name = "lbs_has_less",
       .statement = "Linear blending least of all: the same lead",
       .expected = 26.3,
       .tolerance = 0.2,
       .value = value_of("uneven_lbs"),
       .why = "Points run along the chord between their images, near the axis: most of the turn happens in a "
              "thin neck."},
      {.name = "log_leaves_the_shortest_path",
       .statement =
           "The path between two rotations is not the shortest under log-matrix blending: its way over "
           "the shortest, bones turned by 150 degrees about x and about y",
       .expected = 1.069,
       .tolerance = 0.002,
       .value = value_of("detour_log_150"),
       .why = "As the slides say. Its curve lies in the plane of the two rotation vectors."},
      {.name = "dqs_takes_the_shortest_path",
       .statement = "Dual quaternions take it: the same ratio, turns of 10 to 170 degrees, the largest",
       .paper_value = 1,
       .expected = 1,
       .tolerance = 1e-9,
       .value = value_of("detour_dqs"),
       .why = "A normalised sum of two lies on the arc between them."},
      {.name = "log_depends_on_the_frame",
       .statement =
           "Under log-matrix blending a character that turns as a whole changes its shape: how far the "
           "skin of the bent tube (radius 1) moves under turns of up to 90 degrees",
       .expected = 0.0916,
       .tolerance = 0.001,
       .value = value_of("frame_log"),
       .why =
           "log(G M) is not log G + log M. The reference matrix of the slides takes G out, if one is chosen "
           "that turns along."},
      {.name = "log_depends_on_the_place",
       .statement = "And one that walks away by 10: how far its skin moves",
       .expected = 0.01,
       .bound = Bound::at_least,
       .value = value_of("moved_log"),
       .why = "The translation enters the logarithm of each bone turned by half that bone's angle."},
  };
  for (const char* method : {"lbs", "dqs", "crs", "sbs"})
    all.push_back({.name = std::string(method) + "_does_not_depend_on_the_frame",
                   .statement = std::string("The others do not: the same distance under ") + method,
                   .expected = 1e-12,
                   .bound = Bound::at_most,
                   .value = value_of(std::string("frame_") + method),
                   .why = "What blends M blends G M alike."});
  all.push_back({.name = "lbs_loses_volume",
                 .statement =
                     "Linear blending loses volume where the cuboid twists by 150 degrees: share that "
                     "stays",
                 .expected = 0.903,
                 .tolerance = 0.002,
                 .value = value_of("volume_twist_lbs"),
                 .why = "Half way its section shrinks to cos^2 of half the angle, 7 %."});
  for (const char* method : {"dqs", "crs", "sbs", "log"})
    all.push_back(
        {.name = std::string(method) + "_keeps_volume",
         .statement = std::string("Blends of motions keep it: share that stays under ") + method,
         .expected = 0.99,
         .bound = Bound::at_least,
         .value = value_of(std::string("volume_twist_") + method),
         .why = "Every section turns rigidly in its plane; facets between turned sections cut a little "
                "off."});
  all.push_back(gpu_claim());
  return all;
}

}  // namespace skinlight::repro
