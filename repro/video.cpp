#include "repro/video.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "repro/models.h"
#include "repro/subject.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/render/text.h"

namespace skinlight::repro {

namespace fs = std::filesystem;

namespace {

constexpr int kPanelHeight = 400;  // pixels; the width follows the experiment's shot
constexpr float kTitleSize = 24;
constexpr Rgb8 kTitleColour = {30, 30, 30};
constexpr float kTitleMargin = 16;

// What a take shows, rig or model.
struct TakeSubject {
  RiggedMesh mesh;
  Surface surface;
  std::vector<DeformFactors> factors;  // of each method shown
  std::function<Pose(int frame)> pose;
  std::function<std::vector<Vec3d>(const Pose&)> analytic;  // true normals; empty where none are known
};

TakeSubject rig_in(const Experiment& experiment, const Take& take, const RigCase& rig, int threads) {
  const auto prepared = std::make_shared<PreparedRig>(rig.make(), threads);
  TakeSubject subject{prepared->mesh(), prepared->surface(), {}, {}, {}};
  const Method method = named(experiment.methods, take.methods.front()).options.method;
  bool one_method = true;
  for (const std::string& name : take.methods) {
    const MethodCase& shown = named(experiment.methods, name);
    subject.factors.push_back(prepared->factors_of(shown));
    one_method = one_method && shown.options.method == method;
  }
  subject.pose = [take](int frame) { return take.pose(static_cast<double>(frame) / take.frames); };
  if (one_method && prepared->has_analytic_truth())
    subject.analytic = [prepared, method](const Pose& pose) {
      return prepared->analytic_normals(pose, method);
    };
  return subject;
}

TakeSubject model_in(const Take& take, int threads) {
  Model model = load_model(repro::model(take.subject));
  if (model.mesh.slots > take.slots) limit_influences(model.mesh, take.slots);
  const Clip clip = clip_named(model, take.clip);
  const PreparedModel prepared(std::move(model), threads, take.slots);
  TakeSubject subject{prepared.model.mesh, prepared.surface, {}, {}, {}};
  subject.factors.assign(take.methods.size(), prepared.factors);
  subject.pose = [skeleton = prepared.model.skeleton, clip](int frame) {
    const double seconds = static_cast<double>(frame) / kFramesPerSecond;
    return pose_at(skeleton, clip, clip.duration > 0 ? std::fmod(seconds, clip.duration) : 0.0);
  };
  return subject;
}

TakeSubject take_subject(const Experiment& experiment, const Take& take, int threads) {
  for (const RigCase& rig : experiment.rigs)
    if (rig.name == take.subject) return rig_in(experiment, take, rig, threads);
  return model_in(take, threads);
}

// A camera that stands still and sees the subject in every frame.
Framing framing_of_take(const Experiment& experiment, const Take& take, const TakeSubject& subject,
                        int threads) {
  Shot shot = experiment.shot;
  shot.width = static_cast<int>(std::lround(static_cast<double>(shot.width) * kPanelHeight / shot.height));
  shot.height = kPanelHeight;
  SkinOptions options = named(experiment.methods, take.methods.front()).options;
  options.threads = threads;
  std::vector<Vec3f> all;
  for (int frame = 0; frame < take.frames; ++frame) {
    const SkinnedMesh<float> posed =
        skinlight::skin<float>(subject.mesh, subject.factors.front(), subject.pose(frame), options);
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

Image8 draw_frame(const Experiment& experiment, const Take& take, const TakeSubject& subject, int frame,
                  const Framing& framing, Studio& studio, int threads) {
  const Pose pose = subject.pose(frame);
  const Method skinning = named(experiment.methods, take.methods.front()).options.method;
  const std::vector<Vec3f> truth =
      to_float(subject.analytic ? subject.analytic(pose)
                                : posed_truth(subject.mesh, subject.surface, subject.factors.front(), pose,
                                              skinning, threads)
                                      .transported);
  const std::vector<Face>& faces = subject.mesh.faces;
  std::vector<Panel> shaded, errors;
  std::vector<Vec3f> positions;
  for (std::size_t i = 0; i < take.methods.size(); ++i) {
    const MethodCase& method = named(experiment.methods, take.methods[i]);
    const SkinnedMesh<float> posed = studio.skin(subject.mesh, subject.factors[i], pose, method.options);
    shaded.push_back({studio.shaded(faces, posed.p, posed.n, framing), method.label});
    errors.push_back(
        {studio.error_map(faces, posed.p, posed.n, truth, framing, experiment.shot.error_max_degrees),
         "error of " + method.label});
    if (i == 0) positions = posed.p;
  }
  shaded.push_back({studio.shaded(faces, positions, truth, framing), "truth"});
  shaded.insert(shaded.end(), errors.begin(), errors.end());
  Image8 page = compose_row(shaded);
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

int draw_frames(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
                const fs::path& folder) {
  int total = 0, number = 0;
  for (const Take& take : experiment.video) total += take.frames;
  int width = 0, height = 0;
  for (const Take& take : experiment.video) {
    const TakeSubject subject = take_subject(experiment, take, threads);
    const Framing framing = framing_of_take(experiment, take, subject, threads);
    for (int frame = 0; frame < take.frames; ++frame) {
      progress("drawing frame " + std::to_string(++number) + " of " + std::to_string(total));
      const Image8 image = draw_frame(experiment, take, subject, frame, framing, studio, threads);
      if (number == 1) {
        width = image.width;
        height = image.height;
      } else if (image.width != width || image.height != height) {
        throw std::logic_error("the takes of " + experiment.id + " show different numbers of methods");
      }
      write_png(folder / kFramesFolder / frame_name(number), image);
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
  if (status != 0) {
    fs::remove(folder / kVideoFile, ignored);
    const bool missing = status < 0 || status == 127;  // what a shell would say
    return missing ? "the ffmpeg program is not installed"
                   : "ffmpeg failed: " + (said.empty() ? "it does not say why" : said);
  }
  fs::remove_all(frames, ignored);
  return "";
}

}  // namespace skinlight::repro
