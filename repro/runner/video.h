// Videos of animated experiments: panels side by side, drawn frame by frame and encoded by the ffmpeg
// program.
#pragma once

#include <filesystem>
#include <string>

#include "repro/experiment.h"
#include "repro/measure.h"
#include "repro/runner/pictures.h"
#include "repro/studio.h"

namespace skinlight::repro {

inline constexpr int kFramesPerSecond = 24;

// Where the frames of a video are, below the experiment's folder, and what the video is called.
inline constexpr const char* kFramesFolder = "video";
inline constexpr const char* kVideoFile = "video.mp4";

// Draws the takes of `experiment` one after another into folder/video/0001.png, 0002.png, ...: the normals of
// each method shown | the truth | the error of each method. All frames have one, even, size. Takes of models
// that are not among `models` are left out. Returns the number of frames.
int draw_frames(const Experiment& experiment, const Models& models, Studio& studio, int threads,
                const Progress& progress, const std::filesystem::path& folder);

// Encodes the frames of draw_frames() as folder/video.mp4 (H.264, the same bytes from the same ffmpeg) and
// removes them. Returns why that could not be done, in one line, and leaves the frames; empty when it was.
std::string encode_frames(const std::filesystem::path& folder);

}  // namespace skinlight::repro
