#include "skinlight/core/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "testing/error_of.h"

namespace skinlight {
namespace {

using test_errors::error_of;

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A fresh folder per test, removed afterwards.
class Outputs : public testing::Test {
 protected:
  Outputs() {
    std::string pattern = (fs::temp_directory_path() / "skinlight-output-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Outputs() override { fs::remove_all(folder_); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      names.push_back(entry.path().lexically_relative(folder_));
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path folder_;
};

mode_t mode_of(const fs::path& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// What `child` does happens in another process, which it ends with the signal `ending`, if any.
void in_other_process(const std::function<void()>& child, int ending = 0) {
  const pid_t id = fork();
  ASSERT_GE(id, 0);
  if (id == 0) {
    child();
    if (ending != 0) kill(getpid(), ending);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(id, &status, 0), id);
  if (ending == 0)
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  else
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == ending);
}

TEST_F(Outputs, AreThereOnlyWhenCommitted) {
  write_file(folder_ / "a", "old");
  {
    OutputFile file(folder_ / "a");
    file.fill("new");
    EXPECT_EQ(read_file(folder_ / "a"), "old");
  }
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  OutputFile file(folder_ / "a");
  file.fill("longer than what follows");
  file.fill("new");
  file.commit();
  EXPECT_EQ(read_file(folder_ / "a"), "new");
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(Outputs, FoldersMadeForNothingAreRemoved) {
  { const OutputFile file(folder_ / "x" / "y" / "a"); }
  { const OutputFolder held(folder_ / "x" / "y"); }
  { const StagedFolder staged(folder_ / "x" / "y" / "z"); }
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_THAT(error_of([&] { const OutputFile file(folder_ / "x" / std::string(300, 'n')); }),
              HasSubstr("too long"));
  EXPECT_THAT(names(), IsEmpty());
  OutputFile file(folder_ / "x" / "a");
  file.commit();
  EXPECT_THAT(names(), ElementsAre("x", "x/a"));
}

TEST_F(Outputs, ModesAreKeptAndNewFilesHaveTheUsualOne) {
  const mode_t mask = umask(027);
  write_file(folder_ / "new", "1");
  EXPECT_EQ(mode_of(folder_ / "new"), 0640u);
  for (const mode_t mode : {0600u, 0755u, 0664u}) {
    chmod((folder_ / "new").c_str(), mode);
    write_file(folder_ / "new", "2");
    EXPECT_EQ(mode_of(folder_ / "new"), mode);
  }
  umask(mask);
}

TEST_F(Outputs, LinksAreFollowed) {
  fs::create_directory(folder_ / "there");
  write_file(folder_ / "there" / "target", "old");
  fs::create_symlink("there/target", folder_ / "link");
  fs::create_symlink("link", folder_ / "second");
  fs::create_symlink(folder_ / "there" / "new", folder_ / "dangling");
  write_file(folder_ / "second", "text");
  write_file(folder_ / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder_ / "second") && fs::is_symlink(folder_ / "dangling"));
  EXPECT_EQ(read_file(folder_ / "there" / "target"), "text");
  EXPECT_EQ(read_file(folder_ / "there" / "new"), "made");
  EXPECT_THAT(names(), ElementsAre("dangling", "link", "second", "there", "there/new", "there/target"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THAT(error_of([&] { write_file(folder_ / "loop", ""); }), HasSubstr("loop: cannot be written: "));
}

TEST_F(Outputs, PipesAndDevicesAreWrittenInto) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string sent(300000, 'x');  // more than a pipe holds
  std::thread writer([&] { write_file(pipe, sent); });
  EXPECT_EQ(read_file(pipe), sent);
  writer.join();
  EXPECT_TRUE(fs::is_fifo(pipe));
  write_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/full", folder_ / "full");
  EXPECT_THAT(error_of([&] { write_file(folder_ / "full", "text"); }),
              HasSubstr("full: cannot be written: No space left"));
  EXPECT_THAT(names(), ElementsAre("full", "pipe"));
}

// As in `program --json /dev/fd/3 3> file`: whoever opened the file keeps it.
TEST_F(Outputs, AnOpenFileReachedThroughADeviceIsNotReplaced) {
  const fs::path path = folder_ / "open";
  std::FILE* file = std::fopen(path.c_str(), "w+");
  ASSERT_TRUE(file);
  write_file("/dev/fd/" + std::to_string(fileno(file)), "text");
  char read[5] = {};
  EXPECT_EQ(std::fread(read, 1, 4, file), 4u);
  EXPECT_STREQ(read, "text");
  std::fclose(file);
}

TEST_F(Outputs, StandardOutputHoldsWhatIsWrittenToItAlone) {
  const fs::path out = folder_ / "out", err = folder_ / "err";
  write_file(out, "before, ");
  in_other_process([&] {
    if (!std::freopen(out.c_str(), "a", stdout) || !std::freopen(err.c_str(), "w", stderr)) _exit(1);
    std::printf("printed early, ");
    reserve_standard_output();
    std::printf("printed");
    write_file("-", "written");
    std::fflush(stdout);
  });
  EXPECT_EQ(read_file(out), "before, printed early, written");
  EXPECT_EQ(read_file(err), "printed");
}

TEST_F(Outputs, TheSecondRunIsRefusedOrWaits) {
  OutputFile first(folder_ / "a");
  const auto second = [&] { OutputFile file(folder_ / "." / "a"); };
  EXPECT_THAT(error_of(second), HasSubstr("a: is being written by another run"));
  in_other_process([&] { _exit(error_of(second).ends_with("is being written by another run") ? 0 : 1); });
  std::thread waiting([&] { write_file(folder_ / "a", "second"); });
  first.fill("first");
  first.commit();
  waiting.join();
  EXPECT_EQ(read_file(folder_ / "a"), "second");
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(Outputs, FoldersAreHeldToo) {
  const OutputFolder first(folder_);
  EXPECT_THAT(error_of([&] { const OutputFolder second(folder_); }),
              HasSubstr("is being written by another run"));
  StagedFolder staged(folder_ / "staged");
  EXPECT_THAT(error_of([&] { const StagedFolder second(folder_ / "staged"); }),
              HasSubstr("staged: is being written by"));
  write_file(staged / "a", "text");
  EXPECT_THAT(names(), ElementsAre("staged.part", "staged.part/a"));
  staged.commit();
  EXPECT_THAT(names(), ElementsAre("staged", "staged/a"));
}

// A run that was killed leaves its temporary, but no lock.
TEST_F(Outputs, WhatAKilledRunLeftIsNoHindrance) {
  std::optional<OutputFile> file;
  std::optional<StagedFolder> staged;
  in_other_process(
      [&] {
        file.emplace(folder_ / "a");
        staged.emplace(folder_ / "b");
        write_file(*staged / "old", "");
      },
      SIGKILL);
  EXPECT_THAT(names(), ElementsAre(".a.part", "b.part", "b.part/old"));
  write_file(folder_ / "a", "text");
  { const StagedFolder again(folder_ / "b"); }
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(Outputs, AbandonedOnesLeaveNothing) {
  write_file(folder_ / "a", "old");
  in_other_process([&] {
    const OutputFile file(folder_ / "a"), inside(folder_ / "new" / "folder" / "b");
    const StagedFolder staged(folder_ / "staged");
    write_file(staged / "picture", "text");
    abandon_outputs();
    _exit(0);
  });
  EXPECT_THAT(names(), ElementsAre("a"));
  EXPECT_EQ(read_file(folder_ / "a"), "old");
}

TEST_F(Outputs, WriteProtectedFilesAreRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user";
  write_file(folder_ / "a", "old");
  chmod((folder_ / "a").c_str(), 0444);
  chmod(folder_.c_str(), 0777);
  ASSERT_EQ(seteuid(65534), 0);
  const std::string text = error_of([&] { const OutputFile file(folder_ / "a"); });
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_THAT(text, HasSubstr("a: cannot be written: Permission denied"));
}

// Threads that write one file do not mix their bytes, and the last one's are there.
TEST_F(Outputs, WritersOfOneFileTakeTurns) {
  std::vector<std::thread> threads;
  for (char c = 'a'; c < 'i'; ++c)
    threads.emplace_back([this, c] {
      for (int i = 0; i < 50; ++i) write_file(folder_ / "shared", std::string(1000, c));
    });
  for (std::thread& t : threads) t.join();
  const std::string text = read_file(folder_ / "shared");
  EXPECT_EQ(text, std::string(1000, text[0]));
  EXPECT_THAT(names(), ElementsAre("shared"));
}

}  // namespace
}  // namespace skinlight
