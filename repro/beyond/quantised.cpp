// Deform factors, smooth weights and deform vectors in few bits: bytes against degrees.
#include <cstdio>

#include "repro/study/clip_study.h"
#include "repro/study/costs.h"
#include "repro/study/frames.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::repro::beyond::quantised {

namespace {

constexpr const char* kModels[] = {"fox", "quaternius-formal", "cesium-man", "trex"};
constexpr int kFrames = 4;

std::string method_name(NormalMode mode, NumberFormat format) {
  return std::string(row(mode).name) + "/" + std::string(row(format).name);
}

// What comes back from storage.
struct Stored {
  NumberFormat format;
  NormalRecord factors, vectors;

  Stored(const Character& model, NumberFormat stored_in)
      : format(stored_in), factors(model.factors()), vectors(model.vectors()) {
    const RiggedMesh& mesh = model.mesh();
    unpack_normals(packed_normals(factors, RecordKind::smoothed, format), mesh, factors);
    unpack_normals(packed_normals(vectors, RecordKind::deform_vectors, format), mesh, vectors);
  }
  void add_ways(std::vector<NormalSource>& ways) const {
    SkinData data = factors;
    data.vectors = &vectors;
    for (NormalMode mode : {NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors})
      ways.push_back({method_name(mode, format), data, {.mode = mode}});
  }
};

void measure(Workbench& bench) {
  for (const char* name : kModels) {
    bench.progress("measuring " + std::string(name));
    const Character model(load_model(repro::model(name)), {}, bench.threads);
    std::vector<NormalSource> ways;
    for (NormalMode mode :
         {NormalMode::standard, NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors})
      ways.push_back({std::string(row(mode).name), model.data(Method::lbs, mode), {.mode = mode}});
    std::vector<Stored> stored;
    for (const NumberFormatRow& format : kNumberFormats) stored.emplace_back(model, format.format);
    for (const Stored& s : stored) s.add_ways(ways);
    measure_clips(name, model, model.model().clips, kFrames, ways, bench.results);
  }
  std::string csv = "mode,format,slots,operations,bytes";
  for (const char* name : kModels) csv.append(",").append(name);
  csv += "\n";
  for (NormalMode mode : {NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors})
    for (const NumberFormatRow& format : kNumberFormats) {
      csv += std::string(row(mode).name) + "," + std::string(format.name) + ",4," +
             std::to_string(operations(mode, 4)) + "," + std::to_string(bytes(mode, 4, format.format));
      for (const char* name : kModels) {
        char number[32];
        std::snprintf(number, sizeof number, ",%.4f",
                      mean_error(bench.results, name, method_name(mode, format.format), Truth::transported));
        csv += number;
      }
      csv += "\n";
    }
  bench.write_table("formats.csv", "Bytes and operations per vertex at four slots, and mean error in degrees",
                    csv);
}

// What storage adds to the mean error, in degrees: the most over the models.
auto added(NormalMode mode, NumberFormat format) {
  return [=](const Results& r) {
    double most = -1;
    for (const char* name : kModels)
      most = std::max(most, mean_error(r, name, method_name(mode, format), Truth::transported) -
                                mean_error(r, name, std::string(row(mode).name), Truth::transported));
    return most;
  };
}

auto ratio(const std::string& over, const std::string& under) {
  return [=](const Results& r) {
    double worst = 0;
    for (const char* name : kModels)
      worst = std::max(worst, mean_error(r, name, over, Truth::transported) /
                                  mean_error(r, name, under, Truth::transported));
    return worst;
  };
}

std::vector<Finding> findings() {
  return {
      {"vectors_f32", added(NormalMode::deform_vectors, NumberFormat::f32)},
      {"vectors_f16", added(NormalMode::deform_vectors, NumberFormat::f16)},
      {"vectors_snorm16", added(NormalMode::deform_vectors, NumberFormat::snorm16)},
      {"vectors_snorm8", added(NormalMode::deform_vectors, NumberFormat::snorm8)},
      {"bytes_snorm8",
       [](const Results&) {
         return static_cast<double>(bytes(NormalMode::deform_vectors, 4, NumberFormat::snorm8)) /
                bytes(NormalMode::deform, 4, NumberFormat::f32);
       }},
      {"snorm8_against_floats", ratio(method_name(NormalMode::deform_vectors, NumberFormat::snorm8),
                                      method_name(NormalMode::deform, NumberFormat::f32))},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "Deform factors and deform vectors in few bits";
  e.says =
      "Deform vectors take eight numbers per slot where the paper's factors take two. "
      "Measured from the vertex they are pure numbers of the size of weights, so few bits hold them; slot 0 closes the sums after rounding.";
  for (const char* model : kModels) e.models.push_back({model});
  e.frames = 0;
  e.extra = measure;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::quantised
