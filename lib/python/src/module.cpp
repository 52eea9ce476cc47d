// skinlight._core: skinlight.h with numpy arrays. Names, defaults and documentation are in the package's Python.
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "arrays.h"

namespace skinlight::python {

namespace {

constexpr py::ssize_t ssize(std::size_t count) { return static_cast<py::ssize_t>(count); }
constexpr std::size_t size(py::ssize_t count) { return static_cast<std::size_t>(count); }

template <class Struct>
Struct versioned() {
  Struct s = {};
  s.struct_size = sizeof s;
  return s;
}

template <class Handle>
using Owned = std::shared_ptr<Handle>;

// How positions, normals, tangents, bitangents are wanted: arrays or None.
using Outputs = std::array<py::object, 4>;

struct Way {
  std::int32_t method, mode, guard;
  std::optional<double> c, k;  // the guard's usual numbers, both or none
};

skinlight_skin_options options_of(const Way& way) {
  auto options = versioned<skinlight_skin_options>();
  options.method = way.method;
  options.mode = way.mode;
  options.guard = way.guard;
  options.own_guard = way.c.has_value();
  options.guard_c = way.c.value_or(0);
  options.guard_k = way.k.value_or(0);
  return options;
}

skinlight_skin_output outputs_of(const Outputs& wanted, std::size_t vertices) {
  const Shape shape = rows_of(ssize(vertices), 3);
  auto out = versioned<skinlight_skin_output>();
  out.positions = output(wanted[0], "out.positions", shape);
  out.normals = output(wanted[1], "out.normals", shape);
  out.tangents = output(wanted[2], "out.tangents", shape);
  out.bitangents = output(wanted[3], "out.bitangents", shape);
  return out;
}

py::tuple errors_tuple(const skinlight_errors& e) {
  return py::make_tuple(e.mean, e.rms, e.p95, e.p99, e.max, e.worst_vertex, e.flips);
}

// The arrays of a rig, kept alive.
struct RigInputs {
  Input positions, faces, bones, weights, normals, tangents, uv, morphs;
  skinlight_rig_arrays arrays = versioned<skinlight_rig_arrays>();

  RigInputs(const py::object& p, const py::object& f, const py::object& b, const py::object& w,
            const py::object& n, const py::object& t, const py::object& u, const py::object& m,
            std::size_t bone_count) {
    for (const auto& [what, given] :
         {std::pair{"positions", &p}, {"faces", &f}, {"bones", &b}, {"weights", &w}})
      if (given->is_none()) refuse("", what, "is None");
    positions = reals(p, "positions", rows_of(kAny, 3));
    const py::ssize_t count = positions.rows;
    faces = integers(f, "faces", rows_of(kAny, 3), "face", "vertex");
    bones = integers(b, "bones", rows_of(count, kAny), "vertex", "bone");
    weights = reals(w, "weights", rows_of(count, bones.width));
    normals = reals(n, "normals", rows_of(count, 3));
    tangents = reals(t, "tangents", rows_of(count, 4));
    uv = reals(u, "uv", rows_of(count, 2));
    morphs = reals(m, "morphs", {{kAny, count, 3}, 3, 3});
    arrays.vertex_count = size(count);
    arrays.face_count = size(faces.rows);
    arrays.bone_count = bone_count;
    arrays.influences = size(bones.width);
    arrays.positions = positions.array;
    arrays.faces = faces.array;
    arrays.bones = bones.array;
    arrays.weights = weights.array;
    arrays.normals = normals.array;
    arrays.tangents = tangents.array;
    arrays.uv = uv.array;
    arrays.morph_count = size(morphs.rows);
    arrays.morphs = arrays.morph_count == 0 ? skinlight_array{} : morphs.array;
  }
};

Input weights_of(const py::object& morph_weights, std::size_t targets) {
  if (!morph_weights.is_none() && targets == 0) refuse("", "morph_weights", "the rig has no morph targets");
  return reals(morph_weights, "morph_weights", {{ssize(targets)}, 1, 0});
}

class Rig {
 public:
  static Rig create(const py::object& p, const py::object& f, const py::object& b, const py::object& w,
                    const py::object& n, const py::object& t, const py::object& u, const py::object& m,
                    std::size_t bone_count, std::int32_t slots, std::int32_t averaging,
                    std::int32_t threads) {
    const RigInputs in(p, f, b, w, n, t, u, m, bone_count);
    const skinlight_rig_options options = rig_options(0, slots, averaging, 0, threads);
    return Rig([&](skinlight_rig** rig) { return skinlight_rig_create(&in.arrays, &options, rig); });
  }

  static Rig read(const std::string& path, std::int32_t influences, std::int32_t slots,
                  std::int32_t averaging, std::int32_t missing_normals, std::int32_t threads) {
    const skinlight_rig_options options = rig_options(influences, slots, averaging, missing_normals, threads);
    return Rig([&](skinlight_rig** rig) { return skinlight_rig_read(path.c_str(), &options, rig); });
  }

  const skinlight_rig* get() const { return rig_.get(); }
  std::size_t vertices() const { return info_.vertex_count; }
  std::size_t bones() const { return info_.bone_count; }

  py::tuple counts() const {
    return py::make_tuple(info_.vertex_count, info_.face_count, info_.bone_count, info_.influences,
                          info_.welded_count, info_.clip_count, info_.morph_count, info_.warning_count);
  }

  void fill(std::int32_t what, const py::object& out, std::size_t rows, std::size_t width,
            bool indices) const {
    const skinlight_output to = output(out, "out", rows_of(ssize(rows), ssize(width)), indices);
    run([&] { return skinlight_rig_get(get(), what, to); });
  }

  py::tuple clip(std::size_t index) const {
    auto info = versioned<skinlight_clip_info>();
    run([&] { return skinlight_rig_get_clip(get(), index, &info); });
    return py::make_tuple(text(info.name), info.duration);
  }

  py::tuple bone(std::size_t index) const {
    auto info = versioned<skinlight_bone_info>();
    run([&] { return skinlight_rig_get_bone(get(), index, &info); });
    return py::make_tuple(text(info.name), info.parent);
  }

  py::tuple morph(std::size_t index) const {
    auto info = versioned<skinlight_morph_info>();
    run([&] { return skinlight_rig_get_morph(get(), index, &info); });
    return py::make_tuple(text(info.name), info.weight, info.vertex_count);
  }

  py::tuple warning(std::size_t index) const {
    auto info = versioned<skinlight_warning>();
    run([&] { return skinlight_rig_get_warning(get(), index, &info); });
    return py::make_tuple(text(info.element), text(info.reason), info.count);
  }

  void pose(std::size_t clip, double seconds, const py::object& out) const {
    const skinlight_output to = output(out, "out", {{ssize(bones()), 3, 4}, 3, 2});
    run([&] { return skinlight_rig_get_pose(get(), clip, seconds, to); });
  }

  void morph_weights(std::size_t clip, double seconds, const py::object& out) const {
    const skinlight_output to = output(out, "out", rows_of(ssize(info_.morph_count), 1));
    run([&] { return skinlight_rig_get_morph_weights(get(), clip, seconds, to); });
  }

  py::tuple record(std::int32_t which) const {
    auto info = versioned<skinlight_record_info>();
    run([&] { return skinlight_record_get_info(get(), which, &info); });
    return py::make_tuple(info.slots, info.overflow_vertices, info.overflow_bones, info.overflow_share,
                          info.worst_vertex, info.flat_vertices);
  }

  void column(std::int32_t which, std::int32_t column, const py::object& out, std::size_t width) const {
    const skinlight_output to =
        output(out, "out", rows_of(ssize(vertices()), ssize(width)), column == SKINLIGHT_SLOT_BONES);
    run([&] { return skinlight_record_get(get(), which, column, to); });
  }

  void centres(const py::object& out) const {
    const skinlight_output to = output(out, "out", rows_of(ssize(vertices()), 3));
    run([&] { return skinlight_centres_get(get(), to); });
  }

  Input weights_of(const py::object& morph_weights) const {
    return python::weights_of(morph_weights, info_.morph_count);
  }

  void skin(const py::object& pose, const Way& way, const py::object& morph_weights,
            const Outputs& outputs) const {
    const Input posed = python::pose(pose, bones()), morphs = weights_of(morph_weights);
    skinlight_skin_options options = options_of(way);
    options.morph_weights = morphs.array;
    const skinlight_skin_output out = outputs_of(outputs, vertices());
    run([&] { return skinlight_skin(get(), posed.array, &options, &out); });
  }

  // None where there is nothing to tell.
  py::object way_warning(const Way& way) const {
    const skinlight_skin_options options = options_of(way);
    auto warning = versioned<skinlight_warning>();
    run([&] { return skinlight_way_warning(get(), &options, &warning); });
    if (warning.count == 0) return py::none();
    return py::make_tuple(text(warning.element), text(warning.reason), warning.count);
  }

  void truth(const py::object& pose, std::int32_t method, const py::object& morph_weights,
             const Outputs& outputs) const {
    const Input posed = python::pose(pose, bones()), morphs = weights_of(morph_weights);
    const Shape shape = rows_of(ssize(vertices()), 3);
    auto out = versioned<skinlight_truth_output>();
    out.positions = output(outputs[0], "positions", shape);
    out.transported = output(outputs[1], "transported", shape);
    out.recomputed = output(outputs[2], "recomputed", shape);
    out.areas = output(outputs[3], "areas", {{ssize(vertices())}, 1, 0});
    out.morph_weights = morphs.array;
    run([&] { return skinlight_truth(get(), posed.array, method, &out); });
  }

  // errors per way, and of each per truth, as tuples
  py::list compare(std::size_t clip, std::size_t frames, const std::vector<Way>& ways, std::int32_t truth,
                   const py::object& seconds, const py::object& means, const py::object& max_seconds) const {
    std::vector<skinlight_skin_options> options;
    for (const Way& way : ways) options.push_back(options_of(way));
    const std::size_t rows = ways.size() * (truth == SKINLIGHT_BOTH_TRUTHS ? 2 : 1);
    std::vector<skinlight_errors> errors(rows, versioned<skinlight_errors>());
    auto comparison = versioned<skinlight_comparison>();
    comparison.clip = clip;
    comparison.frames = frames;
    comparison.way_count = ways.size();
    comparison.ways = options.data();
    comparison.truth = truth;
    comparison.errors = errors.data();
    comparison.seconds = output(seconds, "seconds", {{ssize(frames)}, 1, 0});
    comparison.means = output(means, "means", rows_of(ssize(rows), ssize(frames)));
    comparison.max_seconds = output(max_seconds, "max_seconds", {{ssize(rows)}, 1, 0});
    run([&] { return skinlight_compare(get(), &comparison); });
    py::list all;
    for (const skinlight_errors& e : errors) all.append(errors_tuple(e));
    return all;
  }

 private:
  template <class Make>
  explicit Rig(const Make& make) {
    skinlight_rig* rig = nullptr;
    run([&] { return make(&rig); });
    rig_ = Owned<skinlight_rig>(rig, skinlight_rig_free);
    run([&] { return skinlight_rig_get_info(rig, &info_); });
  }

  static skinlight_rig_options rig_options(std::int32_t influences, std::int32_t slots,
                                           std::int32_t averaging, std::int32_t missing_normals,
                                           std::int32_t threads) {
    auto options = versioned<skinlight_rig_options>();
    options.influences = influences;
    options.slots = slots;
    options.averaging = averaging;
    options.missing_normals = missing_normals;
    options.threads = threads;
    return options;
  }

  Owned<skinlight_rig> rig_;
  skinlight_rig_info info_ = versioned<skinlight_rig_info>();
};

// Threads that call at the same time take turns.
class Batch {
 public:
  Batch(const Rig& rig, const Way& way, const py::object& morph_weights, std::int32_t outputs,
        std::int32_t threads)
      : vertices_(rig.vertices()), bones_(rig.bones()) {
    const Input morphs = rig.weights_of(morph_weights);
    skinlight_skin_options skin = options_of(way);
    skin.morph_weights = morphs.array;
    auto options = versioned<skinlight_batch_options>();
    options.skin = &skin;
    options.outputs = outputs;
    options.threads = threads;
    skinlight_batch* batch = nullptr;
    run([&] { return skinlight_batch_create(rig.get(), &options, &batch); });
    batch_ = Owned<skinlight_batch>(batch, skinlight_batch_free);
  }

  std::unique_ptr<Batch> copy() const {
    auto other = std::unique_ptr<Batch>(new Batch(vertices_, bones_));
    skinlight_batch* batch = nullptr;
    run([&] { return skinlight_batch_copy(batch_.get(), &batch); });
    other->batch_ = Owned<skinlight_batch>(batch, skinlight_batch_free);
    return other;
  }

  void skin(const py::object& pose, const Outputs& outputs) {
    const Input posed = python::pose(pose, bones_);
    const skinlight_skin_output out = outputs_of(outputs, vertices_);
    run([&] {
      const std::lock_guard<std::mutex> turn(busy_);
      return skinlight_batch_skin(batch_.get(), posed.array, &out);
    });
  }

 private:
  Batch(std::size_t vertices, std::size_t bones) : vertices_(vertices), bones_(bones) {}

  std::size_t vertices_, bones_;
  Owned<skinlight_batch> batch_;
  std::mutex busy_;
};

py::tuple angular_errors(const py::object& directions, const py::object& truth, const py::object& weights) {
  const Input theirs = reals(directions, "directions", rows_of(kAny, 3));
  if (!theirs.keep || truth.is_none()) refuse("", theirs.keep ? "truth" : "directions", "is None");
  const Input of = reals(truth, "truth", rows_of(theirs.rows, 3));
  const Input share = reals(weights, "weights", {{theirs.rows}, 1, 0});
  auto errors = versioned<skinlight_errors>();
  run([&] {
    return skinlight_angular_errors(size(theirs.rows), theirs.array, of.array, share.array, &errors);
  });
  return errors_tuple(errors);
}

py::list check(const std::string& path, std::int32_t influences, std::int32_t missing_normals,
               std::int32_t threads) {
  auto options = versioned<skinlight_check_options>();
  options.influences = influences;
  options.missing_normals = missing_normals;
  options.threads = threads;
  skinlight_health* made = nullptr;
  run([&] { return skinlight_check(path.c_str(), &options, &made); });
  const Owned<skinlight_health> health(made, skinlight_health_free);
  py::list findings;
  for (std::size_t i = 0; i < skinlight_health_count(made); ++i) {
    auto f = versioned<skinlight_finding>();
    run([&] { return skinlight_health_get(made, i, &f); });
    findings.append(py::make_tuple(text(f.kind), f.severity, text(f.part), f.index, text(f.name), f.count,
                                   f.of, f.size, text(f.unit), text(f.says), text(f.detail), text(f.advice)));
  }
  return findings;
}

// (errors, recomputed or None, verdict, fits) of normals or tangents.
py::tuple judged(const skinlight_report* report, std::int32_t subject) {
  auto transported = versioned<skinlight_errors>(), recomputed = transported;
  auto verdict = versioned<skinlight_verdict>();
  run([&] { return skinlight_report_errors(report, subject, SKINLIGHT_TRANSPORTED, &transported); });
  run([&] { return skinlight_report_verdict(report, subject, &verdict); });
  py::object second = py::none();
  if (subject == SKINLIGHT_NORMALS) {
    run([&] { return skinlight_report_errors(report, subject, SKINLIGHT_RECOMPUTED, &recomputed); });
    second = errors_tuple(recomputed);
  }
  py::list fits;
  for (std::size_t i = 0; i < skinlight_report_fit_count(report, subject); ++i) {
    auto f = versioned<skinlight_fit>();
    run([&] { return skinlight_report_fit(report, subject, i, &f); });
    fits.append(py::make_tuple(text(f.id), f.kind, text(f.what), text(f.advice), f.same != 0, f.mean, f.p95,
                               f.max, f.share));
  }
  return py::make_tuple(
      errors_tuple(transported), second,
      py::make_tuple(verdict.kind, verdict.clear != 0, verdict.fit, verdict.next, verdict.undecided != 0,
                     verdict.lengths, verdict.min_length, verdict.max_length, verdict.wrong_signs),
      fits);
}

// (text, judged normals, judged tangents or None)
py::tuple judge(const py::object& p, const py::object& f, const py::object& b, const py::object& w,
                const py::object& n, const py::object& t, const py::object& u, std::size_t bone_count,
                const py::object& morphs, const py::object& pose, const py::object& normals,
                const py::object& tangents, const py::object& posed_positions,
                const py::object& morph_weights, std::int32_t method, std::int32_t influences,
                std::int32_t slots, double tolerance, std::int32_t threads) {
  const RigInputs rig(p, f, b, w, n, t, u, morphs, bone_count);
  const py::ssize_t count = rig.positions.rows;
  const Input posed = python::pose(pose, bone_count);
  const Input theirs = reals(normals, "normals", rows_of(count, 3)),
              their_tangents = reals(tangents, "tangents", rows_of(count, 4)),
              their_positions = reals(posed_positions, "posed_positions", rows_of(count, 3)),
              of_morphs = weights_of(morph_weights, rig.arrays.morph_count);
  auto input = versioned<skinlight_judge_input>();
  input.rig = &rig.arrays;
  input.pose = posed.array;
  input.posed_positions = their_positions.array;
  input.normals = theirs.array;
  input.tangents = their_tangents.array;
  input.morph_weights = of_morphs.array;
  input.method = method;
  input.influences = influences;
  input.slots = slots;
  input.tolerance = tolerance;
  input.threads = threads;
  skinlight_report* made = nullptr;
  run([&] { return skinlight_judge(&input, &made); });
  const Owned<skinlight_report> report(made, skinlight_report_free);
  return py::make_tuple(
      text(skinlight_report_text(made)), judged(made, SKINLIGHT_NORMALS),
      their_tangents.keep ? py::object(judged(made, SKINLIGHT_TANGENTS)) : py::object(py::none()));
}

py::tuple bake(const std::string& in, const std::string& out, std::int32_t record, std::int32_t layout,
               std::int32_t format, std::int32_t influences, std::int32_t averaging,
               std::int32_t missing_normals, bool force, std::int32_t threads, std::int32_t method) {
  auto options = versioned<skinlight_bake_options>();
  options.method = method;
  options.record = record;
  options.layout = layout;
  options.format = format;
  options.influences = influences;
  options.averaging = averaging;
  options.missing_normals = missing_normals;
  options.force = force;
  options.threads = threads;
  auto report = versioned<skinlight_bake_report>();
  run([&] { return skinlight_bake(in.c_str(), out.c_str(), &options, &report); });
  return py::make_tuple(report.unchanged != 0, report.vertex_count, report.welded_count,
                        report.primitive_count, report.slots, report.attributes, report.bytes,
                        report.overflow_vertices);
}

// (mode, guard) of each
py::list usual_ways(std::int32_t method) {
  py::list all;
  for (std::size_t i = 0; i < skinlight_usual_way_count(method); ++i) {
    auto way = versioned<skinlight_skin_options>();
    run([&] { return skinlight_usual_way(method, i, &way); });
    all.append(py::make_tuple(way.mode, way.guard));
  }
  return all;
}

std::vector<std::string> names(std::int32_t of) {
  std::vector<std::string> all;
  for (std::int32_t i = 0; const char* name = skinlight_name(of, i); ++i) all.emplace_back(name);
  return all;
}

}  // namespace

}  // namespace skinlight::python

PYBIND11_MODULE(_core, m) {
  using namespace skinlight::python;
  m.doc() = "The C interface of skinlight with numpy arrays; use the package skinlight.";
  m.def("version", skinlight_version);
  m.def("names", names);
  m.def("usual_frames", [] { return SKINLIGHT_USUAL_FRAMES; });
  m.def("usual_ways", usual_ways);
  m.def("angular_errors", angular_errors);
  m.def("check", check);
  m.def("judge", judge);
  m.def("bake", bake);
  py::class_<Way>(m, "Way").def(py::init([](std::int32_t method, std::int32_t mode, std::int32_t guard,
                                            std::optional<double> c, std::optional<double> k) {
    return Way{method, mode, guard, c, k};
  }));
  py::class_<Rig>(m, "Rig")
      .def_static("create", Rig::create)
      .def_static("read", Rig::read)
      .def("counts", &Rig::counts)
      .def("fill", &Rig::fill)
      .def("clip", &Rig::clip)
      .def("bone", &Rig::bone)
      .def("morph", &Rig::morph)
      .def("warning", &Rig::warning)
      .def("pose", &Rig::pose)
      .def("morph_weights", &Rig::morph_weights)
      .def("record", &Rig::record)
      .def("column", &Rig::column)
      .def("centres", &Rig::centres)
      .def("skin", &Rig::skin)
      .def("way_warning", &Rig::way_warning)
      .def("truth", &Rig::truth)
      .def("compare", &Rig::compare);
  py::class_<Batch>(m, "Batch")
      .def(py::init<const Rig&, const Way&, const py::object&, std::int32_t, std::int32_t>())
      .def("copy", &Batch::copy)
      .def("skin", &Batch::skin);
}
