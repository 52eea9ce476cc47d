#include "skinlight/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
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

namespace {

// The tasks of one parallel_tasks() call, shared by its threads.
class TaskQueue {
 public:
  TaskQueue(int count, const std::function<void(int)>& task) : count_(count), task_(task) {}

  // Runs the next task; false when none is left or one has failed.
  bool run_next() {
    if (failed_index_ < count_) return false;
    const int i = next_++;
    if (i >= count_) return false;
    try {
      task_(i);
    } catch (...) {
      fail(i, std::current_exception());
      return false;
    }
    ++done_;
    return true;
  }
  void fail(int index, std::exception_ptr error) {
    const std::lock_guard guard(lock_);
    if (index >= failed_index_) return;
    failed_index_ = index;
    error_ = std::move(error);
  }
  int done() const { return done_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const int count_;
  const std::function<void(int)>& task_;
  std::atomic<int> next_ = 0, done_ = 0, failed_index_ = std::numeric_limits<int>::max();
  std::mutex lock_;
  std::exception_ptr error_;
};

}  // namespace

void parallel_tasks(int count, int threads, const std::function<void(int)>& task,
                    const std::function<void(double)>& progress) {
  if (count <= 0) return;
  TaskQueue queue(count, task);
  std::vector<std::thread> helpers;
  for (int w = 1; w < std::min(thread_count(threads), count); ++w)
    helpers.emplace_back([&queue] {
      while (queue.run_next()) {
      }
    });
  try {
    while (queue.run_next())
      if (progress && queue.done() < count) progress(static_cast<double>(queue.done()) / count);
  } catch (...) {
    queue.fail(-1, std::current_exception());
  }
  for (std::thread& t : helpers) t.join();
  queue.rethrow();
  if (progress) progress(1);
}

}  // namespace skinlight
