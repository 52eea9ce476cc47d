// Loops over disjoint ranges. Every index is computed by the same code whatever the thread count, so results
// are too.
#pragma once

#include <functional>

namespace skinlight {

// Calls body(begin, end) on consecutive ranges that cover 0 .. count-1, on up to `threads` threads (0: all
// cores). Exceptions of a body are rethrown in the caller (the one of the lowest range).
void parallel_for(int count, int threads, const std::function<void(int begin, int end)>& body);

// The number of threads that `threads` stands for: itself, or the machine's cores when it is 0.
int thread_count(int threads);

}  // namespace skinlight
