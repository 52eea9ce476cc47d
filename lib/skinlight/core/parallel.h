// Loops over disjoint ranges. Every index is computed by the same code whatever the thread count, so results
// are too.
#pragma once

#include <functional>

namespace skinlight {

// Calls body(begin, end) on consecutive ranges that cover 0 .. count-1, on up to `threads` threads (0: all
// cores). Exceptions of a body are rethrown in the caller (the one of the lowest range).
void parallel_for(int count, int threads, const std::function<void(int begin, int end)>& body);

// Calls task(i) once for every i in 0 .. count-1, on up to `threads` threads (0: all cores), each thread
// taking the next index when it is done with one: for few, long or uneven pieces of work. `progress`, when
// given, is called from the caller's thread with the share done so far, ascending, and 1 at the end. The
// exception of the lowest failing task, or that of `progress`, stops the rest and is rethrown: so `progress`
// can cancel.
void parallel_tasks(int count, int threads, const std::function<void(int i)>& task,
                    const std::function<void(double share)>& progress = {});

// The number of threads that `threads` stands for: itself, or the machine's cores when it is 0.
int thread_count(int threads);

}  // namespace skinlight
