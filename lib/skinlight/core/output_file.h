// Files and folders that will be written, claimed before the work that fills them: what cannot be written shows at once, two
// runs do not write the same one, and a run that ends early leaves what was there and nothing else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight {

inline constexpr const char* kStandardOutput = "-";

// What to do when another OutputFile, of this process or another one, has the file.
enum class WhenBusy { wait, refuse };

// A plain file is filled under another name beside it and takes its own in commit(): it is replaced whole or not at all,
// and keeps its mode. Links are followed. Into what is no plain file (a device, a pipe) commit() writes. The name "-" is
// standard output.
class OutputFile {
 public:
  // Makes missing folders. Throws InputError, naming `path` and the reason, when it cannot be written.
  explicit OutputFile(const std::filesystem::path& path, WhenBusy busy = WhenBusy::refuse);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // without commit(): removes what was made, folders included

  // Throws InputError when the disk is full, say; the file that was there stays.
  void fill(std::string_view bytes);
  void commit();

 private:
  void claim(WhenBusy busy);
  [[noreturn]] void refuse(const std::string& reason) const;

  std::filesystem::path path_;                  // as given
  std::filesystem::path target_;                // where links lead
  std::filesystem::path temporary_;             // beside it; empty: target_ is no plain file
  std::vector<std::filesystem::path> folders_;  // made for it
  std::string pending_;                         // of what is no plain file
  int file_ = -1;                               // open and locked
};

// A folder that files are written into, made if missing, held against other runs that hold it.
class OutputFolder {
 public:
  // Throws InputError when nothing can be written there, or another run holds it.
  explicit OutputFolder(const std::filesystem::path& path);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();  // removes the folder if it was made and is empty

 private:
  std::vector<std::filesystem::path> folders_;  // made
  int folder_ = -1;                             // open and locked
};

// A folder that takes its name only when it is complete, in the place of an earlier one; held as OutputFolder.
class StagedFolder {
 public:
  explicit StagedFolder(const std::filesystem::path& target);
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder();  // without commit(): removes what was made

  const std::filesystem::path& path() const { return staging_; }
  std::filesystem::path operator/(const std::string& file) const { return staging_ / file; }
  void commit();

 private:
  void claim();

  std::filesystem::path target_, staging_;
  std::vector<std::filesystem::path> folders_;  // made
  int folder_ = -1;                             // staging_, open and locked
};

// From here on what the process prints goes to standard error, so that standard output holds nothing but what is written to
// "-".
void reserve_standard_output();

// Removes all that was made and not committed, for a program that is about to end, by a signal, say. Whoever makes or
// commits a file afterwards waits for ever. Not for signal handlers themselves: it locks.
void abandon_outputs();

}  // namespace skinlight
