#include "repro/study/recommendation.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::repro {

namespace {

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

std::vector<NormalMode> modes_by_cost(Method method) {
  constexpr NormalMode kByCost[] = {NormalMode::standard,       NormalMode::deform,
                                    NormalMode::exact,          NormalMode::smoothed,
                                    NormalMode::deform_vectors, NormalMode::deform_frames};
  const auto has = row(method).modes;
  std::vector<NormalMode> modes;
  for (const NormalMode mode : kByCost)
    if (std::find(has.begin(), has.end(), mode) != has.end()) modes.push_back(mode);
  return modes;
}

bool bake_writes(Method method, NormalMode mode) {
  return mode != NormalMode::deform_frames || row(method).centre != CentreKind::of_vertex;
}

std::string bake_flags(Method method, NormalMode mode) {
  const NormalMode record = mode == NormalMode::exact ? NormalMode::deform : mode;
  std::string flags = "--normals " + std::string(row(record).name);
  if (method != Method::lbs) flags.append(" --method ").append(row(method).name);
  return flags;
}

std::optional<Recommendation> recommend(std::span<const MeasuredWay> ways) {
  const MeasuredWay* standard = unguarded(ways, NormalMode::standard);
  if (standard == nullptr) return std::nullopt;
  const std::vector<NormalMode> by_cost = modes_by_cost(standard->options.method);
  if (std::none_of(by_cost.begin(), by_cost.end(), [&](NormalMode mode) {
        return mode != NormalMode::standard && unguarded(ways, mode) != nullptr;
      }))
    return std::nullopt;
  double least = standard->mean;
  for (const NormalMode mode : by_cost)
    if (const MeasuredWay* way = unguarded(ways, mode)) least = std::min(least, way->mean);
  const MeasuredWay* choice = nullptr;
  for (const NormalMode mode : by_cost)
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
  if (ways.empty()) return std::nullopt;
  const std::vector<NormalMode> by_cost = modes_by_cost(ways.front().options.method);
  double least = std::numeric_limits<double>::infinity();
  for (const NormalMode mode : by_cost) {
    const MeasuredWay* way = unguarded(ways, mode);
    if (way == nullptr) return std::nullopt;
    least = std::min(least, way->mean);
  }
  const double standard = unguarded(ways, NormalMode::standard)->mean;
  if (standard < kSlightDegrees || !(least < standard)) return std::nullopt;
  return *std::find_if(by_cost.begin(), by_cost.end(), [&](NormalMode mode) {
    return standard - unguarded(ways, mode)->mean >= kWorth * (standard - least);
  });
}

std::string sentence(const Recommendation& r) {
  if (!r.gains())
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
  if (!bake_writes(r.choice.method, r.choice.mode)) return "";
  if (!r.gains()) return "skinlight check " + quoted(model);
  const std::filesystem::path path(as_gltf(model));
  const std::string out =
      (path.parent_path() / (path.stem().string() + "_baked" + extension_of(path))).string();
  return "skinlight bake " + quoted(path.string()) + " -o " + quoted(out) + " " +
         bake_flags(r.choice.method, r.choice.mode);
}

std::string next_needs(const Recommendation& r, const std::string& model) {
  const std::string baked = as_gltf(model);
  return !r.gains() || !bake_writes(r.choice.method, r.choice.mode) || baked == model
             ? ""
             : "the model as glTF, " + quoted(baked);
}

}  // namespace skinlight::repro
