#include "skinlight/core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace skinlight {
namespace {

TEST(Parallel, EveryIndexIsVisitedOnceWhateverTheThreadCount) {
  for (const int count : {0, 1, 7, 1023, 1024, 1025, 10000, 123457})
    for (const int threads : {0, 1, 2, 3, 7, 64}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      parallel_for(count, threads, [&](int begin, int end) {
        ASSERT_LT(begin, end);
        for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      int wrong = 0;
      for (const auto& v : visits) wrong += v != 1;
      EXPECT_EQ(wrong, 0) << count << " indices, " << threads << " threads";
    }
}

TEST(Parallel, LargeLoopsRunOnTheThreadsAskedFor) {
  for (const int threads : {1, 2, 5}) {
    std::mutex lock;
    std::set<std::thread::id> seen;
    parallel_for(1 << 20, threads, [&](int, int) {
      const std::lock_guard guard(lock);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(threads));
  }
}

TEST(Parallel, NegativeCountsDoNothing) {
  parallel_for(-5, 4, [](int, int) { FAIL() << "called"; });
}

TEST(Parallel, ErrorOfTheLowestRangeReachesTheCaller) {
  for (const int threads : {1, 2, 4, 8}) {
    std::atomic<int> finished = 0;
    try {
      parallel_for(100000, threads, [&](int begin, int end) {
        ++finished;
        if (end > 1000) throw std::runtime_error(std::to_string(begin));
      });
      FAIL() << "no error";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "0");
    }
    EXPECT_EQ(finished, threads);
  }
}

TEST(Parallel, ThreadCountZeroMeansEveryCore) {
  EXPECT_EQ(thread_count(3), 3);
  EXPECT_GE(thread_count(0), 1);
  EXPECT_EQ(thread_count(-1), thread_count(0));
}

TEST(ParallelTasks, EveryTaskRunsOnceWhateverTheThreadCount) {
  for (const int count : {-3, 0, 1, 2, 7, 500})
    for (const int threads : {0, 1, 2, 3, 64}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(std::max(count, 0)));
      parallel_tasks(count, threads, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      int wrong = 0;
      for (const auto& r : runs) wrong += r != 1;
      EXPECT_EQ(wrong, 0) << count << " tasks, " << threads << " threads";
    }
}

// Each task waits for the other: on one thread they would never end.
TEST(ParallelTasks, FewTasksRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  parallel_tasks(2, 2, [&](int) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelTasks, ProgressAscendsToOneInTheCallersThread) {
  for (const int threads : {1, 3}) {
    std::vector<double> shares;
    const auto caller = std::this_thread::get_id();
    parallel_tasks(
        50, threads, [](int) {},
        [&](double share) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          shares.push_back(share);
        });
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GT(shares.front(), 0);
    EXPECT_EQ(shares.back(), 1);
    EXPECT_EQ(std::count(shares.begin(), shares.end(), 1), 1);
    if (threads == 1) {
      EXPECT_EQ(shares.size(), 50u);
    }
  }
}

TEST(ParallelTasks, ErrorsReachTheCallerAndStopTheRest) {
  for (const int threads : {1, 2, 8}) {
    std::atomic<int> runs = 0;
    try {
      parallel_tasks(100000, threads, [&](int i) {
        ++runs;
        if (i >= 10) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "no error";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "10");
    }
    EXPECT_LT(runs, 100);
  }
}

TEST(ParallelTasks, ProgressCancelsByThrowing) {
  std::atomic<int> runs = 0;
  EXPECT_THROW(parallel_tasks(
                   100000, 1, [&](int) { ++runs; },
                   [](double share) {
                     if (share > .001) throw std::runtime_error("cancelled");
                   }),
               std::runtime_error);
  EXPECT_LT(runs, 200);
}

}  // namespace
}  // namespace skinlight
