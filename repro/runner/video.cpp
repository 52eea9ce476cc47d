#include "repro/runner/video.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "repro/subject.h"
#include "skinlight/core/file.h"
#include "skinlight/render/text.h"

namespace skinlight::repro {

namespace fs = std::filesystem;

namespace {

constexpr int kPanelHeight = 400;  // pixels; the width follows the experiment's shot
constexpr float kTitleSize = 24;
constexpr Rgb8 kTitleColour = {30, 30, 30};
constexpr float kTitleMargin = 16;

// The rig or model of a take, and how it moves.
struct Actor {
  Subject subject;
  std::function<Pose(int frame)> pose;
  Shot shot;
};

// Empty when the take is of a model that is not there.
std::optional<Actor> actor_of(const Experiment& experiment, const Take& take, const Models& models,
                              int threads) {
  const ModelCase* model_case = nullptr;
  for (const ModelCase& m : experiment.models)
    if (m.name == take.subject) model_case = &m;
  const Shot shot = shot_of(experiment, model_case);
  if (!model_case) {
    const auto pose = [&take](int frame) { return take.pose(static_cast<double>(frame) / take.frames); };
    return Actor{subject_of(named(experiment.rigs, take.subject), threads), pose, shot};
  }
  const auto model = models.find(take.subject);
  if (model == models.end()) return std::nullopt;
  const Clip& clip = clip_named(model->second.model(), take.clip);
  const auto pose = [&skeleton = model->second.model().skeleton, &clip](int frame) {
    const double seconds = static_cast<double>(frame) / kFramesPerSecond;
    return pose_at(skeleton, clip, clip.duration > 0 ? std::fmod(seconds, clip.duration) : 0.0);
  };
  return Actor{{model->second, {}, dress_of(repro::model(take.subject))}, pose, shot};
}

// A camera that stands still and sees the actor in every frame.
Framing framing_of_take(const Experiment& experiment, const Take& take, const Actor& actor, int threads) {
  Shot shot = actor.shot;
  shot.width = static_cast<int>(std::lround(static_cast<double>(shot.width) * kPanelHeight / shot.height));
  shot.height = kPanelHeight;
  const MethodCase& method = named(experiment.methods, take.methods.front());
  const SkinOptions options{
      .method = method.options.method, .mode = NormalMode::standard, .threads = threads};
  const Subject& subject = actor.subject;
  std::vector<Vec3f> all;
  for (int frame = 0; frame < take.frames; ++frame) {
    const SkinnedMesh<float> posed = skinlight::skin<float>(
        subject.mesh(), data_of(subject.character, method), actor.pose(frame), options);
    all.insert(all.end(), posed.p.begin(), posed.p.end());
  }
  return framing_of(shot, {all});
}

// H.264 with subsampled colour needs even sizes.
Image8 even_size(const Image8& image) {
  if (image.width % 2 == 0 && image.height % 2 == 0) return image;
  Image8 page(image.width + image.width % 2, image.height + image.height % 2, {255, 255, 255});
  paste(image, 0, 0, page);
  return page;
}

// The truth is that of the first method's skinning, the error of each method that against its own.
Image8 draw_frame(const Experiment& experiment, const Take& take, const Actor& actor, int frame,
                  const Framing& framing, Studio& studio, int threads) {
  PosedSubject posed(experiment, actor.subject, actor.pose(frame), studio, threads);
  std::vector<Panel> panels, errors;
  for (const std::string& name : take.methods) {
    const std::string& label = named(experiment.methods, name).label;
    const Sight sight = posed.posed(name);
    panels.push_back({studio.shaded(sight, framing), label});
    errors.push_back({studio.error_map(sight, posed.truth(name), framing, actor.shot.error_max_degrees),
                      "error of " + label});
  }
  panels.push_back({studio.shaded(posed.truth(take.methods.front()), framing), "truth"});
  panels.insert(panels.end(), errors.begin(), errors.end());
  Image8 page = compose_row(panels);
  draw_text(page, take.title, kTitleMargin, static_cast<float>(page.height) - kTitleSize - kTitleMargin,
            TextAlign::left, kTitleSize, kTitleColour);
  return even_size(page);
}

std::string frame_name(int number) {
  char name[16];
  std::snprintf(name, sizeof name, "%04d.png", number);
  return name;
}

// Runs a program found on PATH; its messages go to `log`. Returns its exit status, or -1 when it could not be
// started.
int run_program(const std::vector<std::string>& command, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int draw_frames(const Experiment& experiment, const Models& models, Studio& studio, int threads,
                const Progress& progress, const fs::path& folder) {
  int number = 0, width = 0, height = 0;
  for (const Take& take : experiment.video) {
    const std::optional<Actor> actor = actor_of(experiment, take, models, threads);
    if (!actor) continue;
    const Framing framing = framing_of_take(experiment, take, *actor, threads);
    for (int frame = 0; frame < take.frames; ++frame) {
      progress("filming '" + take.title + "', frame " + std::to_string(frame + 1) + " of " +
               std::to_string(take.frames));
      const Image8 image = draw_frame(experiment, take, *actor, frame, framing, studio, threads);
      if (number == 0) {
        width = image.width;
        height = image.height;
      } else if (image.width != width || image.height != height) {
        throw std::logic_error("the takes of " + experiment.id + " show different numbers of methods");
      }
      write_png(folder / kFramesFolder / frame_name(++number), image);
    }
  }
  return number;
}

std::string encode_frames(const fs::path& folder) {
  const fs::path frames = folder / kFramesFolder, log = folder / "ffmpeg.log";
  const std::vector<std::string> command = {
      "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-threads", "1",  //
      "-framerate", std::to_string(kFramesPerSecond), "-i", (frames / "%04d.png").string(),
      // Colours as high-definition players take them to be.
      "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",  //
      "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-threads", "1", "-movflags", "+faststart",
      // No dates and no versions: the same bytes every time.
      "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", (folder / kVideoFile).string()};
  const int status = run_program(command, log);
  const std::string said = fs::exists(log) ? first_line(read_file(log)) : "";
  std::error_code ignored;
  fs::remove(log, ignored);
  // It skips a frame that it cannot read, says so, and calls that success.
  if (status != 0 || !said.empty()) {
    fs::remove(folder / kVideoFile, ignored);
    const bool missing = status < 0 || status == 127;  // what a shell would say
    return missing ? "the ffmpeg program is not installed"
                   : "ffmpeg failed: " + (said.empty() ? "it does not say why" : said);
  }
  fs::remove_all(frames, ignored);
  return "";
}

}  // namespace skinlight::repro
