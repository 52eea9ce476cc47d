#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>

#include "skinlight/audit/judge.h"

namespace skinlight {

namespace {

constexpr std::size_t kShownFits = 6;

// printf into the end of a string.
[[gnu::format(printf, 2, 3)]] void add(std::string& text, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string line(static_cast<std::size_t>(std::max(size, 0)) + 1, '\0');
  std::vsnprintf(line.data(), line.size(), format, again);
  va_end(again);
  line.pop_back();
  text += line;
}

std::string upper(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string degrees(double angle) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", angle);
  return angle > 0 && angle < 0.005 ? "<0.01" : text;
}

void add_errors(std::string& text, const char* truth, const NormalError& e) {
  add(text, "  %-12s %8s %8s %8s %8s %7d  %d\n", truth, degrees(e.mean).c_str(), degrees(e.rms).c_str(),
      degrees(e.p95).c_str(), degrees(e.max).c_str(), e.flips, e.worst_vertex);
}

const Fit& fit_at(const Diagnosis& d, int index) { return d.fits[static_cast<std::size_t>(index)]; }

// The ids of the fits that are as good as the named one.
std::string ids_of(const Diagnosis& d, const std::vector<int>& which) {
  std::string text;
  for (const int i : which) text += (text.empty() ? "" : ", ") + fit_at(d, i).id;
  return text;
}

void add_verdict(std::string& text, const Diagnosis& d, double tolerance) {
  const Verdict& v = d.verdict;
  if (!v.explained) {
    add(text,
        "  NONE of the known explanations fits within %.3g degrees, or but for noise; the nearest is\n  %s (%s degrees off)\n",
        tolerance, d.fits[0].what.c_str(), degrees(d.fits[0].mean).c_str());
    return;
  }
  const Fit& named = fit_at(d, v.named);
  add(text, "  %s: %s\n", upper(name(v.kind)).c_str(), named.what.c_str());
  add(text, "  %s degrees from it on average (%s at most)", degrees(named.mean).c_str(),
      degrees(named.max).c_str());
  if (v.next > 0)
    add(text, "; the next explanation is %s off: %s\n", degrees(v.next).c_str(),
        v.clear ? "clear" : "not clear");
  else
    add(text, "\n");
  if (v.noisy) add(text, "  what is left over has no pattern: noise, or the rounding of a format\n");
  if (named.orthogonal) add(text, "  (made orthogonal to your normals afterwards)\n");
  if (!v.same_here.empty())
    add(text, "  the same on this rig and pose: %s\n", ids_of(d, v.same_here).c_str());
  // Nobody minds that two correct answers cannot be told apart.
  if (v.undecided)
    add(text, "  UNDECIDED between them: judge a pose in which neighbouring bones bend and twist\n");
  if (!named.advice.empty()) add(text, "  what to do: %s\n", named.advice.c_str());
}

void add_lengths(std::string& text, const Lengths& l, const char* noun) {
  switch (l.finding) {
    case LengthFinding::unit:
      add(text, "  lengths: 1%s\n",
          l.telling ? ""
                    : " (here also without normalising, so that a missing normalisation would not show)");
      return;
    case LengthFinding::constant:
      add(text, "  lengths: %.4g everywhere: a scale or an integer format, harmless once normalised\n",
          l.mean);
      return;
    case LengthFinding::not_normalised:
      add(text,
          "  MISTAKE: not renormalised: lengths from %.3g to %.3g, as '%s' leaves them\n"
          "  what to do: normalise the %s after blending, before they are interpolated or stored\n",
          l.min, l.max, l.like.c_str(), noun);
      return;
    case LengthFinding::unexplained:
      add(text, "  lengths: from %.3g to %.3g, for no known reason\n", l.min, l.max);
      return;
  }
}

void add_fits(std::string& text, const Diagnosis& d) {
  add(text, "  %-8s %8s %8s %7s  %-24s %s\n", "distance", "p95", "max", "fits", "id", "explanation");
  for (std::size_t i = 0; i < std::min(kShownFits, d.fits.size()); ++i) {
    const Fit& f = d.fits[i];
    add(text, "  %8s %8s %8s %5.0f %%  %-24s %s\n", degrees(f.mean).c_str(), degrees(f.p95).c_str(),
        degrees(f.max).c_str(), 100 * f.share, f.id.c_str(), f.what.c_str());
  }
}

void add_sides(std::string& text, const SideFinding& s) {
  if (s.wrong == 0)
    add(text, "  bitangent signs (w): right%s\n",
        s.mirrored > 0 ? "" : " (nothing is mirrored here, so that a lost sign would not show)");
  else if (s.reversed)
    add(text,
        "  MISTAKE: bitangent signs (w) reversed everywhere\n"
        "  what to do: bones that mirror change the sign, and texture conventions differ by it\n");
  else if (s.lost)
    add(text,
        "  MISTAKE: handedness lost: one bitangent sign (w) everywhere, though %d vertices have mirrored uv\n"
        "  what to do: carry tangent.w through skinning unchanged\n",
        s.mirrored);
  else
    add(text, "  MISTAKE: bitangent signs (w) wrong at %d vertices\n", s.wrong);
}

void add_judged(std::string& text, const Judged& judged, const Judgement& j, const char* noun,
                bool with_recomputed, const SideFinding* sides) {
  add(text, "\nYour %s: error in degrees, weighted by deformed area\n", noun);
  add(text, "  %-12s %8s %8s %8s %8s %7s  %s\n", "truth", "mean", "RMS", "p95", "max", "flips",
      "worst vertex");
  add_errors(text, "transported", judged.transported);
  if (with_recomputed) add_errors(text, "recomputed", judged.recomputed);
  add(text, "\nDiagnosis of the %s\n", noun);
  add_verdict(text, judged.diagnosis, j.tolerance);
  add_lengths(text, judged.lengths, noun);
  if (sides) add_sides(text, *sides);
  add(text, "\nNearest explanations, degrees from your %s\n", noun);
  add_fits(text, judged.diagnosis);
}

}  // namespace

std::string judgement_text(const Judgement& j) {
  std::string text;
  add(text, "rig: %d vertices (%d welded), %d faces, %d bones, %d influences per vertex\n", j.vertices,
      j.welded, j.faces, j.bones, j.influences);
  const std::string method(row(j.method).label);
  if (j.position_offset < 0)
    add(text, "posed by: %s\n", method.c_str());
  else
    add(text, "posed positions: yours, %.1e of the diagonal from %s (vertex %d)%s\n", j.position_offset,
        method.c_str(), j.position_offset_vertex,
        j.position_offset > 1e-3
            ? "\n  That is far: the bones, weights, pose or method given are not those that made them."
            : "");
  for (const Warning& w : j.warnings)
    add(text, "warning: %s: %s (%d)\n", w.element.c_str(), w.reason.c_str(), w.count);
  add_judged(text, j.normals, j, "normals", true, nullptr);
  if (j.has_tangents) add_judged(text, j.tangents, j, "tangents", false, j.has_sides ? &j.sides : nullptr);
  return text;
}

}  // namespace skinlight
