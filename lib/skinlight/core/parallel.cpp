#include "skinlight/core/parallel.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace skinlight {

namespace {
constexpr int kMinimumRange = 1024;  // below this a thread costs more than it saves
}

int thread_count(int threads) {
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(int count, int threads, const std::function<void(int, int)>& body) {
  const int workers = std::min(thread_count(threads), (count + kMinimumRange - 1) / kMinimumRange);
  if (workers <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  std::vector<std::exception_ptr> failed(static_cast<std::size_t>(workers));
  std::vector<std::thread> pool;
  for (int w = 0; w < workers; ++w) {
    const int begin = static_cast<int>(static_cast<long>(count) * w / workers);
    const int end = static_cast<int>(static_cast<long>(count) * (w + 1) / workers);
    pool.emplace_back([&, w, begin, end] {
      try {
        body(begin, end);
      } catch (...) {
        failed[static_cast<std::size_t>(w)] = std::current_exception();
      }
    });
  }
  for (std::thread& t : pool) t.join();
  for (const std::exception_ptr& e : failed)
    if (e) std::rethrow_exception(e);
}

}  // namespace skinlight
