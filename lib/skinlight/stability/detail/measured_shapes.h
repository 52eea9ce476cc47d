// Where the vertices of real game characters stand and how steeply their weights change.
#pragma once

namespace skinlight::stability {

// In units of half the distance from a vertex to the farthest joint of the bones that move it, as regimes.h has them.
struct MeasuredShape {
  double distance;   // of the posed vertex from the model's origin
  double steepness;  // largest component of a weight's gradient at the vertex
};

// Of vertices that more than one bone moves: four drawn at random from all clips, and the one with the largest product.
// What a game adds by placing the character in its world is in the far regimes.
inline constexpr MeasuredShape kMeasuredShapes[] = {
    // Trex (Quaternius)
    {8.9, 0.18},
    {11, 1},
    {7.6, 0.45},
    {4.4, 0.01},
    {7.6, 3.9},
    // Velociraptor (Quaternius)
    {11, 0.15},
    {4.2, 0.85},
    {4, 1.1},
    {8.9, 0.15},
    {5.9, 2.9},
    // Cesium Man
    {4.7, 0.76},
    {1.4, 0.77},
    {4.5, 0.3},
    {5.3, 1.3},
    {5.6, 4.2},
    // Wolf (Quaternius)
    {11, 0.44},
    {5.2, 2.2},
    {8.1, 0.61},
    {7.2, 0.26},
    {14, 1.6},
    // Cactus (Quaternius)
    {1.3, 0.46},
    {1.9, 0.55},
    {1.9, 0.73},
    {2.6, 1.5},
    {3.1, 4.4},
    // Fox
    {3.1, 0.3},
    {7.2, 0.11},
    {4.3, 0.65},
    {5.4, 0.46},
    {6.1, 2.2},
    // XR hand
    {6, 0.081},
    {7, 0.47},
    {6.8, 1.2},
    {5, 0.39},
    {9.3, 1.9},
    // Formal (Quaternius)
    {0.57, 0.36},
    {18, 0.54},
    {50, 1.5},
    {4.1, 0.74},
    {1.3e+02, 1.8},
    // Godot enemy
    {2.4, 0.92},
    {3.3, 0.69},
    {3.5, 1.7},
    {3.3, 1.1},
    {3.8, 2.7},
    // MakeHuman body
    {11, 1.5},
    {1.4, 0.58},
    {50, 0.67},
    {88, 0.4},
    {11, 28},
};

}  // namespace skinlight::stability
