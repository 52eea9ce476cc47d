#include "skinlight/core/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "skinlight/core/detail/system_reason.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace fs = std::filesystem;

namespace {

// What is there for a while and belongs to nobody after this process.
struct Leftovers {
  std::mutex mutex;  // held while anything is made, renamed or removed
  std::set<fs::path> files, trees;
  std::vector<fs::path> folders;  // those that are removed if empty, in the order in which they were made
};

Leftovers& leftovers() {
  static auto& all = *new Leftovers;  // never destroyed: a signal may come while the program ends
  return all;
}

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& reason) {
  throw InputError(folder.string(), "", reason);
}

int standard_output = STDOUT_FILENO;

constexpr const char* kBusy = "is being written by another run";

// Makes `folder` and what it stands in, and returns those that were missing, the outermost first.
std::vector<fs::path> make_folders(const fs::path& folder) {
  if (folder.empty()) return {};
  std::vector<fs::path> missing;
  std::error_code failed;
  for (fs::path f = folder; !f.empty() && !fs::exists(f, failed) && !failed; f = f.parent_path())
    missing.push_back(f);
  std::reverse(missing.begin(), missing.end());
  Leftovers& all = leftovers();
  const std::lock_guard lock(all.mutex);
  fs::create_directories(folder, failed);
  if (failed) refuse_folder(folder, "cannot create the folder: " + failed.message());
  all.folders.insert(all.folders.end(), missing.begin(), missing.end());
  return missing;
}

void forget_folders(const std::vector<fs::path>& folders) {
  Leftovers& all = leftovers();
  const std::lock_guard lock(all.mutex);
  for (const fs::path& folder : folders) std::erase(all.folders, folder);
}

void remove_if_empty(const std::vector<fs::path>& folders) {
  forget_folders(folders);
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) rmdir(folder->c_str());
}

bool same_inode(int file, const fs::path& path) {
  struct stat open, named;
  return fstat(file, &open) == 0 && lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// Some file systems know no locks: there nothing is held.
bool locks(int file, int how = LOCK_NB) { return flock(file, LOCK_EX | how) == 0 || errno != EWOULDBLOCK; }

// A link of /proc leads to what is open, not to a name.
bool leads_to_what_is_open(const fs::path& link) {
  std::error_code failed;
  const fs::path folder = fs::canonical(fs::absolute(link).parent_path(), failed);
  return !failed && folder.string().starts_with("/proc/");
}

// The file that gets the new name: `path`, or where it leads. Empty: no plain file, nor one to be.
fs::path plain_file(const fs::path& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  fs::path file = path;
  while (fs::is_symlink(fs::symlink_status(file, failed))) {
    if (leads_to_what_is_open(file)) return {};
    const fs::path to = fs::read_symlink(file, failed);
    file = to.is_absolute() ? to : file.parent_path() / to;
  }
  return file;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Opens a folder and holds it; -1: another run holds it.
int held_folder(const fs::path& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0 || faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    const std::string reason = system_reason();
    if (file >= 0) close(file);
    refuse_folder(folder, "cannot be written: " + reason);
  }
  if (locks(file)) return file;
  close(file);
  return -1;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path, WhenBusy busy) : path_(path) {
  if (path.empty()) refuse("a file without a name");
  if (path == kStandardOutput) return;
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse("is a folder, not a file");
    if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      refuse("cannot be written: " + system_reason());
  } else if (errno == ELOOP) {
    refuse("cannot be written: " + system_reason());
  }
  target_ = plain_file(path);
  if (target_.empty()) return;
  if (target_.has_parent_path()) folders_ = make_folders(target_.parent_path());
  temporary_ = target_;
  temporary_.replace_filename(std::string(".").append(target_.filename()).append(".part"));
  try {
    claim(busy);
  } catch (...) {
    remove_if_empty(folders_);
    throw;
  }
}

// The name of the temporary is the lock: it exists while a run holds it open and locked. One that nobody has locked was
// left by a run that was killed.
void OutputFile::claim(WhenBusy busy) {
  Leftovers& all = leftovers();
  for (;;) {
    {
      const std::lock_guard lock(all.mutex);
      file_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (file_ >= 0 && locks(file_) && same_inode(file_, temporary_)) {
        all.files.insert(temporary_);
        return;
      }
    }
    if (file_ >= 0)
      close(file_);  // another run took it for one that was left
    else if (errno != EEXIST)
      refuse("cannot be written: " + system_reason());
    file_ = open(temporary_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file_ < 0) {
      if (errno == ENOENT) continue;
      refuse("cannot be written: " + system_reason());
    }
    const bool mine = locks(file_, busy == WhenBusy::wait ? 0 : LOCK_NB);
    if (mine && same_inode(file_, temporary_)) unlink(temporary_.c_str());
    close(std::exchange(file_, -1));
    if (!mine) refuse(kBusy);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      folders_(std::exchange(other.folders_, {})),
      pending_(std::move(other.pending_)),
      file_(std::exchange(other.file_, -1)) {}

OutputFile::~OutputFile() {
  if (file_ >= 0) {
    Leftovers& all = leftovers();
    const std::lock_guard lock(all.mutex);
    unlink(temporary_.c_str());
    all.files.erase(temporary_);
    close(file_);
  }
  remove_if_empty(folders_);
}

void OutputFile::refuse(const std::string& reason) const { throw InputError(path_.string(), "", reason); }

void OutputFile::fill(std::string_view bytes) {
  if (temporary_.empty()) {
    pending_ = bytes;
    return;
  }
  if (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) != 0 || !write_all(file_, bytes))
    refuse("cannot be written: " + system_reason());
}

void OutputFile::commit() {
  if (temporary_.empty()) {
    file_ = path_ == kStandardOutput ? dup(standard_output)
                                     : open(path_.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    const bool written = file_ >= 0 && write_all(file_, pending_);
    const std::string reason = written ? "" : system_reason();
    if (file_ >= 0) close(std::exchange(file_, -1));
    if (!written) refuse("cannot be written: " + reason);
    return;
  }
  struct stat before;
  if (stat(target_.c_str(), &before) == 0) {
    // Only root may give files away.
    [[maybe_unused]] const int owned = fchown(file_, before.st_uid, before.st_gid);
    fchmod(file_, before.st_mode & 07777);
  }
  {
    Leftovers& all = leftovers();
    const std::lock_guard lock(all.mutex);
    if (rename(temporary_.c_str(), target_.c_str()) != 0) refuse("cannot be replaced: " + system_reason());
    all.files.erase(temporary_);
  }
  close(std::exchange(file_, -1));
  forget_folders(std::exchange(folders_, {}));
}

OutputFolder::OutputFolder(const fs::path& path) : folders_(make_folders(path)) {
  try {
    folder_ = held_folder(path);
    if (folder_ < 0) refuse_folder(path, kBusy);
  } catch (...) {
    remove_if_empty(folders_);
    throw;
  }
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : folders_(std::exchange(other.folders_, {})), folder_(std::exchange(other.folder_, -1)) {}

OutputFolder::~OutputFolder() {
  remove_if_empty(folders_);
  if (folder_ >= 0) close(folder_);
}

StagedFolder::StagedFolder(const fs::path& target)
    : target_(target), staging_(target.string() + ".part"), folders_(make_folders(target.parent_path())) {
  try {
    claim();
  } catch (...) {
    remove_if_empty(folders_);
    throw;
  }
}

void StagedFolder::claim() {
  Leftovers& all = leftovers();
  const std::lock_guard lock(all.mutex);
  std::error_code failed;
  do {
    if (folder_ >= 0) close(folder_);
    fs::create_directory(staging_, failed);
    if (failed) refuse_folder(target_, "cannot be written: " + failed.message());
    folder_ = held_folder(staging_);
    if (folder_ < 0) refuse_folder(target_, kBusy);
  } while (!same_inode(folder_, staging_));  // another run gave it its name meanwhile
  all.trees.insert(staging_);
  for (const auto& left : fs::directory_iterator(staging_)) fs::remove_all(left.path(), failed);
}

StagedFolder::~StagedFolder() {
  if (folder_ >= 0) {
    Leftovers& all = leftovers();
    const std::lock_guard lock(all.mutex);
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
    all.trees.erase(staging_);
    close(folder_);
  }
  remove_if_empty(folders_);
}

void StagedFolder::commit() {
  std::error_code failed;
  {
    Leftovers& all = leftovers();
    const std::lock_guard lock(all.mutex);
    fs::remove_all(target_, failed);
    if (!failed) fs::rename(staging_, target_, failed);
    if (failed) refuse_folder(target_, "cannot be replaced: " + failed.message());
    all.trees.erase(staging_);
  }
  close(std::exchange(folder_, -1));
  forget_folders(std::exchange(folders_, {}));
}

void reserve_standard_output() {
  if (standard_output != STDOUT_FILENO) return;
  std::fflush(stdout);
  const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw InputError(kStandardOutput, "", "standard output cannot be written: " + system_reason());
  standard_output = kept;
}

void abandon_outputs() {
  Leftovers& all = leftovers();
  all.mutex.lock();
  std::error_code ignored;
  for (const fs::path& file : all.files) unlink(file.c_str());
  for (const fs::path& tree : all.trees) fs::remove_all(tree, ignored);
  for (auto folder = all.folders.rbegin(); folder != all.folders.rend(); ++folder) rmdir(folder->c_str());
}

}  // namespace skinlight
