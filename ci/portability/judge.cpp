// Judges normals that another compiler, machine or rounding made of the record's cases, by the record's cells of a scalar.
//   judge CASES RECORD FILE SCALAR LOSS50 LOSS01 [FILE SCALAR LOSS50 LOSS01] ...
// Red, with exit code 1, where a cell has lost more than LOSS50 digits at the median or LOSS01 in the worst 1 %.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "ci/portability/normals.h"
#include "skinlight/core/file.h"
#include "skinlight/core/parallel.h"
#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/digits.h"
#include "skinlight/stability/record.h"

namespace {

using namespace skinlight;
using namespace skinlight::stability;

struct Normals {
  std::string file, scalar;  // the record's cells of that scalar judge it
  double loss50, loss01;     // that it may have
  std::string bytes = {};
  int red = 0;
  double largest50 = 0, largest01 = 0;  // losses
};

// Who has fewer digits in the worst 1 % has none to lose there: normals point anywhere.
constexpr double kFewest = .5;

void read(Normals& normals, std::size_t count) {
  normals.bytes = read_file(normals.file);
  if (normals.bytes.size() != count * 3 * sizeof(float))
    throw std::runtime_error(normals.file + " does not hold " + std::to_string(count) + " normals");
}

Result at(const Normals& normals, std::size_t index) {
  float n[3];
  std::memcpy(n, normals.bytes.data() + index * sizeof n, sizeof n);
  Result result;
  result.n = Vec3d(n[0], n[1], n[2]);
  return result;
}

void judge(Normals& normals, const std::string& cell, std::vector<double>& digits, const Digits& then) {
  std::sort(digits.begin(), digits.end());
  const double p50 = digits[digits.size() / 2], p01 = digits[digits.size() / 100];
  normals.largest50 = std::max(normals.largest50, then.p50 - p50);
  const double loss01 = then.p01 < kFewest ? 0 : then.p01 - p01;
  normals.largest01 = std::max(normals.largest01, loss01);
  if (then.p50 - p50 <= normals.loss50 && loss01 <= normals.loss01) return;
  std::printf("LOSS: %s, %s: %.2f and %.2f digits, of %.2f and %.2f on record\n", normals.file.c_str(),
              cell.c_str(), p50, p01, then.p50, then.p01);
  ++normals.red;
}

int judge(std::size_t cases, const std::string& record_file, std::vector<Normals>& all) {
  const std::vector<Subject> chosen = portable_subjects();
  for (Normals& normals : all) read(normals, regimes().size() * cases * chosen.size());
  std::map<std::string, Digits> recorded;
  for (const RecordedCell& cell : read_record(record_file).cells) recorded[cell.id] = cell.digits;

  for (std::size_t r = 0; r < regimes().size(); ++r) {
    const Regime& regime = regimes()[r];
    // [file][subject][case]
    std::vector<std::vector<double>> digits(all.size() * chosen.size(), std::vector<double>(cases));
    parallel_for(static_cast<int>(cases), 0, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        const VertexCase c = draw(regime, i);
        const auto truth = truths<Wide>(c, chosen);
        const auto which = static_cast<std::size_t>(i);
        for (std::size_t f = 0; f < all.size(); ++f)
          for (std::size_t k = 0; k < chosen.size(); ++k)
            digits[f * chosen.size() + k][which] =
                stability::digits(Quantity::normal, c, chosen[k],
                                  at(all[f], (r * cases + which) * chosen.size() + k), truth[k]);
      }
    });
    for (std::size_t f = 0; f < all.size(); ++f)
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::string cell = chosen[k].name + "/" + std::string(regime.name) + "/" + all[f].scalar;
        judge(all[f], cell, digits[f * chosen.size() + k], recorded.at(cell));
      }
  }
  int red = 0;
  for (const Normals& normals : all) {
    std::printf("%s: %zu cells of %s: %d lost digits; at most %.2f at the median, %.2f in the worst 1 %%\n",
                normals.file.c_str(), regimes().size() * chosen.size(), normals.scalar.c_str(), normals.red,
                normals.largest50, normals.largest01);
    red += normals.red;
  }
  return red > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7 || argc % 4 != 3) {
    std::fprintf(stderr, "usage: judge CASES RECORD FILE SCALAR LOSS50 LOSS01 ...\n");
    return 2;
  }
  try {
    std::vector<Normals> all;
    for (int i = 3; i < argc; i += 4)
      all.push_back({argv[i], argv[i + 1], std::stod(argv[i + 2]), std::stod(argv[i + 3])});
    return judge(static_cast<std::size_t>(std::stoi(argv[1])), argv[2], all);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "judge: %s\n", e.what());
    return 2;
  }
}
