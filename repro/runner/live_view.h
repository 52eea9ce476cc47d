// What the report page needs to show a rig in motion: its surface in a row of poses from rest on, with two kinds of normals.
#pragma once

#include <filesystem>
#include <vector>

#include "repro/experiment.h"
#include "repro/runner/runner.h"

namespace skinlight::repro {

inline constexpr const char* kLiveFile = "live.json";
inline constexpr int kLiveFrames = 25;
inline constexpr int kMostLiveVertices =
    2000;  // of 18 bytes a frame, which the page loads when it is looked at

// live.json (rig, pose, labels of the two methods, faces) with live/positions.npy, live/standard.npy and live/better.npy
// (frames times vertices by 3), of the finest rig that is small enough in the last pose: standard normals, and the first
// others of the same skinning. Nothing without such a rig, such methods or rigid bones.
void write_live_view(const Experiment& experiment, int threads, const std::filesystem::path& folder,
                     std::vector<Output>& outputs);

}  // namespace skinlight::repro
