#include "skinlight/core/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A fresh folder per test, removed afterwards.
class File : public testing::Test {
 protected:
  File() {
    std::string pattern = (fs::temp_directory_path() / "skinlight-file-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~File() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path folder_;
};

// Permissions do not bind root: step down to nobody while one of these lives.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    if (geteuid() == 0) dropped_ = seteuid(65534) == 0;
  }
  ~WithoutPrivileges() {
    if (dropped_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool dropped_ = false;
};

// Files may not grow beyond a few bytes while one of these lives: as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit small = old_;
    small.rlim_cur = 16;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit old_;
};

InputError error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e;
  }
  return InputError("", "", "no error");
}

TEST_F(File, RoundTripKeepsEveryByte) {
  Random random(1);
  for (const std::size_t size : {0u, 1u, 1000u, 1000000u}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random.bits());
    write_file(folder_ / "a.bin", bytes);
    EXPECT_EQ(read_file(folder_ / "a.bin"), bytes);
    EXPECT_EQ(names(), std::vector<std::string>{"a.bin"});
  }
}

TEST_F(File, FoldersAreCreated) {
  write_file(folder_ / "x" / "y" / "a", "text");
  EXPECT_EQ(read_file(folder_ / "x" / "y" / "a"), "text");
}

TEST_F(File, BareNamesNeedNoFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file("bare", "text");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder_ / "bare"), "text");
}

TEST_F(File, FullDiskKeepsTheOldFileAndLeavesNothingElse) {
  write_file(folder_ / "a", "old");
  const std::string large(100000, 'x');
  const InputError e = [&] {
    const FullDisk full;
    return error_of([&] { write_file(folder_ / "a", large); });
  }();
  EXPECT_EQ(e.file(), folder_ / "a");
  EXPECT_THAT(e.reason(), HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(File, FolderWithoutPermissionKeepsTheOldFile) {
  write_file(folder_ / "a", "old");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                               fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec);
  const InputError e = [&] {
    const WithoutPrivileges nobody;
    return error_of([&] { write_file(folder_ / "a", "new"); });
  }();
  EXPECT_EQ(e.file(), folder_ / "a");
  EXPECT_THAT(e.reason(), HasSubstr("Permission denied"));
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(File, TargetThatIsAFolderIsRefusedAndLeavesNoTemporary) {
  fs::create_directory(folder_ / "target");
  write_file(folder_ / "target" / "inside", "kept");
  const InputError e = error_of([&] { write_file(folder_ / "target", "bytes"); });
  EXPECT_EQ(e.file(), folder_ / "target");
  EXPECT_THAT(e.reason(), HasSubstr("is a folder"));
  EXPECT_EQ(read_file(folder_ / "target" / "inside"), "kept");
  EXPECT_EQ(names(), std::vector<std::string>{"target"});
}

TEST_F(File, ParentThatIsAFileIsAnError) {
  write_file(folder_ / "file", "text");
  for (const fs::path& path : {folder_ / "file" / "a", folder_ / "file" / "b" / "a"}) {
    const InputError e = error_of([&] { write_file(path, "bytes"); });
    EXPECT_THAT(e.what(), HasSubstr((folder_ / "file").string()));
    EXPECT_NE(e.reason(), "no error");
  }
  EXPECT_EQ(read_file(folder_ / "file"), "text");
}

TEST_F(File, ReadErrorsNameFileAndReason) {
  EXPECT_STREQ(error_of([&] { read_file(folder_ / "none"); }).what(),
               ((folder_ / "none").string() + ": no such file").c_str());
  EXPECT_THAT(error_of([&] { read_file(folder_); }).reason(), HasSubstr("is a folder"));
  write_file(folder_ / "secret", "text");
  fs::permissions(folder_ / "secret", fs::perms::none);
  fs::permissions(folder_, fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
  {
    const WithoutPrivileges nobody;
    EXPECT_THAT(error_of([&] { read_file(folder_ / "secret"); }).reason(), HasSubstr("Permission denied"));
  }
  fs::permissions(folder_, fs::perms::none);
  const WithoutPrivileges nobody;
  EXPECT_THAT(error_of([&] { read_file(folder_ / "secret"); }).reason(), HasSubstr("Permission denied"));
}

TEST_F(File, PipesAreReadToTheirEnd) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string sent(300000, 'x');  // more than a pipe and a block of the reader hold
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<char>(i * 7);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << sent; });
  const std::string received = read_file(pipe);
  writer.join();
  EXPECT_EQ(received, sent);
}

TEST_F(File, NpyRoundTripIsBitwise) {
  Random random(2);
  for (const std::size_t rows : {0u, 1u, 2u, 99u, 100u, 12345u}) {
    std::vector<Vec3f> data(rows);
    for (Vec3f& v : data) v = Vec3f(random.in_cube(100));
    if (rows > 1) data[1] = {-0.0f, std::numeric_limits<float>::infinity(), 1e-40f};
    write_npy(folder_ / "a.npy", data);
    const std::vector<Vec3f> back = read_npy(folder_ / "a.npy");
    ASSERT_EQ(back.size(), rows);
    // memcmp wants two places even where there is nothing to compare.
    if (rows > 0) {
      EXPECT_EQ(std::memcmp(back.data(), data.data(), rows * sizeof(Vec3f)), 0);
    }
  }
}

// The layout that NumPy documents: magic, version 1.0, length, a dictionary padded with spaces so that the
// data starts at a multiple of 64, then rows in C order.
TEST_F(File, NpyLayoutIsNumPys) {
  const std::vector<Vec3f> data = {{1, 2, 3}, {4, 5, 6}};
  write_npy(folder_ / "a.npy", data);
  const std::string bytes = read_file(folder_ / "a.npy");
  ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ((10 + length) % 64, 0u);
  const std::string header = bytes.substr(10, length);
  EXPECT_EQ(header.substr(0, header.find('}') + 1),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(header.back(), '\n');
  float values[6];
  ASSERT_EQ(bytes.size(), 10 + length + sizeof values);
  std::memcpy(values, bytes.data() + 10 + length, sizeof values);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(values[i], static_cast<float>(i + 1));
}

std::string npy(const std::string& header, std::size_t data_bytes) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + std::string(data_bytes, '\0');
}

TEST_F(File, NpyHeadersAsOtherWritersSpellThemAreRead) {
  for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
                             "{'descr':'<f4','fortran_order':False,'shape':(2,3),}   \n"}) {
    write_file(folder_ / "a.npy", npy(header, 24));
    EXPECT_EQ(read_npy(folder_ / "a.npy").size(), 2u) << header;
  }
}

TEST_F(File, MalformedNpyIsAnErrorThatNamesTheFile) {
  const std::string good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
  std::string no_magic = good, long_header = good;
  no_magic[1] = 'X';
  long_header[9] = '\x7f';
  const std::pair<std::string, const char*> cases[] = {
      {"", "header"},
      {"\x93NUM", "header"},
      {no_magic, "header"},
      {long_header, "header"},
      {good.substr(0, 40), "header"},
      {good.substr(0, good.size() - 1), "data"},
      {good + "x", "data"},
      {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", 48), "header"},
      {npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24), "header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }\n", 24), "header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n", 24), "header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }\n", 24), "header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 3), }\n", 24), "header"},
      {npy("", 0), "header"},
  };
  for (const auto& [bytes, element] : cases) {
    write_file(folder_ / "bad.npy", bytes);
    const InputError e = error_of([&] { read_npy(folder_ / "bad.npy"); });
    EXPECT_EQ(e.file(), folder_ / "bad.npy") << bytes;
    EXPECT_EQ(e.element(), element) << bytes;
  }
}

TEST_F(File, NpyThatClaimsMoreRowsThanItHoldsIsRefusedBeforeAllocating) {
  write_file(folder_ / "huge.npy",
             npy("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 3), }\n", 24));
  rlimit old;
  getrlimit(RLIMIT_AS, &old);
  [[maybe_unused]] rlimit small = old;
  small.rlim_cur = rlim_t{4} << 30;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these reserve terabytes of addresses
  setrlimit(RLIMIT_AS, &small);
#endif
  const InputError e = error_of([&] { read_npy(folder_ / "huge.npy"); });
  setrlimit(RLIMIT_AS, &old);
  EXPECT_EQ(e.element(), "data");
}

TEST_F(File, NpyHeaderOfOnlySpacesDoesNotExhaustTheStack) {
  write_file(folder_ / "wide.npy", npy("{" + std::string(65000, ' '), 24));
  EXPECT_EQ(error_of([&] { read_npy(folder_ / "wide.npy"); }).element(), "header");
}

TEST(InputError, TextNamesFileElementAndReason) {
  EXPECT_STREQ(InputError("a.glb", "vertex 3", "is wrong").what(), "a.glb: vertex 3: is wrong");
  EXPECT_STREQ(InputError("", "vertex 3", "is wrong").what(), "vertex 3: is wrong");
  EXPECT_STREQ(InputError("a.glb", "", "is wrong").what(), "a.glb: is wrong");
}

TEST(InputError, FileIsAddedOnlyWhereNoneIsKnown) {
  const InputError bare("", "vertex 3", "is wrong");
  EXPECT_STREQ(bare.in_file("a.glb").what(), "a.glb: vertex 3: is wrong");
  EXPECT_STREQ(bare.in_file("a.glb").in_file("b.glb").what(), "a.glb: vertex 3: is wrong");
}

}  // namespace
}  // namespace skinlight
