#include "repro/study/recommendation.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::repro {

namespace {

// The cheapest first.
constexpr NormalMode kByCost[] = {NormalMode::standard, mode_reading(RecordKind::deform_factors),
                                  mode_reading(RecordKind::smoothed),
                                  mode_reading(RecordKind::deform_vectors)};

std::string degrees(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// As a shell takes it for one word.
std::string quoted(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c > 127 ||
           std::string_view("_-./+:@,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !text.empty() && text.front() != '-') return text;
  std::string word = text.starts_with('-') ? "'./" : "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// What bake reads: the model, or its name as glTF.
std::string as_gltf(const std::string& model) {
  std::filesystem::path path(model);
  const std::string extension = extension_of(path);
  const bool is_gltf = extension == ".gltf" || extension == ".glb" || extension == ".vrm";
  return is_gltf ? model : path.replace_extension(".glb").string();
}

const MeasuredWay* unguarded(std::span<const MeasuredWay> ways, NormalMode mode) {
  const auto way = std::find_if(ways.begin(), ways.end(), [&](const MeasuredWay& w) {
    return w.options.mode == mode && w.options.guard.guard == Guard::none;
  });
  return way == ways.end() ? nullptr : &*way;
}

}  // namespace

std::vector<MeasuredWay> mean_errors(std::span<const SkinOptions> ways, std::span<const ClipError> clips) {
  std::vector<MeasuredWay> measured;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    double sum = 0;
    for (const ClipError& clip : clips) sum += clip.of(way, Truth::transported).error.mean;
    measured.push_back({ways[way], sum / static_cast<double>(clips.size())});
  }
  return measured;
}

std::optional<Recommendation> recommend(std::span<const MeasuredWay> ways) {
  const MeasuredWay* standard = unguarded(ways, NormalMode::standard);
  const auto is_measured = [&](RecordKindRow record) {
    return unguarded(ways, mode_reading(record.kind)) != nullptr;
  };
  if (standard == nullptr || std::none_of(kRecordKinds.begin(), kRecordKinds.end(), is_measured))
    return std::nullopt;
  double least = standard->mean;
  for (const NormalMode mode : kByCost)
    if (const MeasuredWay* way = unguarded(ways, mode)) least = std::min(least, way->mean);
  const MeasuredWay* choice = nullptr;
  for (const NormalMode mode : kByCost)
    if (const MeasuredWay* way = unguarded(ways, mode);
        choice == nullptr && way && way->mean <= std::max(least * (1 + kAsGood), least + kAsGoodDegrees))
      choice = way;
  Recommendation found{standard->options, choice->options, standard->mean, choice->mean, {}, choice->mean};
  for (const MeasuredWay& way : ways)
    if (way.options.mode == choice->options.mode && way.options.guard.guard != Guard::none &&
        way.mean <= choice->mean * (1 - kGuardGain) && way.mean < found.guarded_mean) {
      found.guarded = way.options;
      found.guarded_mean = way.mean;
    }
  return found;
}

std::optional<NormalMode> cheapest_that_pays(std::span<const MeasuredWay> ways) {
  double least = std::numeric_limits<double>::infinity();
  for (const NormalMode mode : kByCost) {
    const MeasuredWay* way = unguarded(ways, mode);
    if (way == nullptr) return std::nullopt;
    least = std::min(least, way->mean);
  }
  const double standard = unguarded(ways, NormalMode::standard)->mean;
  if (standard < kSlightDegrees || !(least < standard)) return std::nullopt;
  return *std::find_if(std::begin(kByCost), std::end(kByCost), [&](NormalMode mode) {
    return standard - unguarded(ways, mode)->mean >= kWorth * (standard - least);
  });
}

std::string sentence(const Recommendation& r) {
  if (!r.bakes())
    return "Standard normals will do: they are off by " + degrees(r.standard_mean) +
           " degrees on average, and what bake writes is not better.";
  std::string text(row(r.choice.mode).name);
  text += " takes the error of normals from " + degrees(r.standard_mean) + " (standard) to " +
          degrees(r.mean) + " degrees on average";
  if (r.guarded)
    text += ", with the guard " + std::string(row(r.guarded->guard.guard).name) + " to " +
            degrees(r.guarded_mean);
  return text + ".";
}

std::string next_command(const Recommendation& r, const std::string& model) {
  if (!r.bakes()) return "skinlight check " + quoted(model);
  const std::filesystem::path path(as_gltf(model));
  const std::string out =
      (path.parent_path() / (path.stem().string() + "_baked" + extension_of(path))).string();
  return "skinlight bake " + quoted(path.string()) + " -o " + quoted(out) + " --normals " +
         std::string(row(r.choice.mode).name);
}

std::string next_needs(const Recommendation& r, const std::string& model) {
  const std::string baked = as_gltf(model);
  return !r.bakes() || baked == model ? "" : "the model as glTF, " + quoted(baked);
}

}  // namespace skinlight::repro
