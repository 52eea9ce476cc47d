// Sine and cosine that are the same on every machine: those of the C library are not, in the last bit.
#pragma once

namespace skinlight::stability {

// Taylor's series for |x| up to 4: within 1e-14.
inline double sine(double x) {
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = 1 - sum * (x * x / (2 * k * (2 * k + 1)));
  return sum * x;
}
inline double cosine(double x) {
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = 1 - sum * (x * x / ((2 * k - 1) * (2 * k)));
  return sum;
}

}  // namespace skinlight::stability
