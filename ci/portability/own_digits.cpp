// Compares the digits of a scalar with the record, as `skinlight stability check` does, where another compiler made the
// kernels.
//   own_digits RECORD SCALAR
// Red, with exit code 1, where a cell has lost digits.
#include <cstdio>
#include <exception>

#include "skinlight/stability/record.h"

int main(int argc, char** argv) {
  using namespace skinlight::stability;
  if (argc != 3) {
    std::fprintf(stderr, "usage: own_digits RECORD SCALAR\n");
    return 2;
  }
  try {
    Selection chosen;
    chosen.scalars.push_back(&scalar_from_name(argv[2]));
    const std::vector<CellDigits> cells = measure(chosen);
    int losses = 0;
    for (const Finding& f : compare(read_record(argv[1]), cells, false)) {
      if (f.kind == Finding::Kind::gain) continue;
      std::printf("LOSS: %s: %s\n", f.id.c_str(), f.says.c_str());
      ++losses;
    }
    std::printf("%zu cells of %s on %s: %d lost digits\n", cells.size(), argv[2], machine().c_str(), losses);
    return losses > 0 ? 1 : 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "own_digits: %s\n", e.what());
    return 2;
  }
}
