// FBX as text: `Name: value, value { children }`, comments from ';' to the end of the line, arrays as
// `Name: *count { a: 1,2,3 }`.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "skinlight/asset/fbx/detail/fbx_element.h"
#include "skinlight/core/error.h"

namespace skinlight::fbx {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '|'; }

bool is_number(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
}

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  File read() {
    File file;
    read_children(file.root, 0);
    if (at_ != text_.size()) fail("a '}' without its '{'");
    const Element* header = file.root.child("FBXHeaderExtension");
    const Element* version = header == nullptr ? nullptr : header->child("FBXVersion");
    if (version == nullptr) throw InputError("", "FBXHeaderExtension", "does not tell the FBXVersion");
    require_version(integer(*version, 0));
    file.is_text = true;
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw InputError("", "line " + std::to_string(line), reason);
  }

  // Up to what is neither space nor comment; 0 at the end.
  char next() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (is_space(text_[at_]))
        ++at_;
      else
        return text_[at_];
    }
    return 0;
  }

  bool skip(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  template <class Is>
  std::string_view run_of(const Is& is) {
    const std::size_t first = at_;
    while (at_ < text_.size() && is(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }

  void read_children(Element& parent, int depth) {
    while (next() != 0 && next() != '}') parent.children.push_back(read_element(depth));
  }

  Element read_element(int depth) {
    if (depth >= kDeepest) fail("elements are nested too deep");
    Element element;
    element.name = run_of([](char c) { return is_word(c) || c == '-' || c == '.'; });
    if (element.name.empty() || !skip(':')) fail("a name and ':' are expected here");
    if (skip('*')) {
      read_array(element);
      return element;
    }
    // A word that a ':' follows is the next element: this one has no values.
    if (starts_value() || next() == ',') do  // "Content: , ..." starts with an empty value
        element.values.push_back(next() == ',' ? Value(std::string()) : read_value());
      while (skip(','));
    if (skip('{')) {
      read_children(element, depth + 1);
      if (!skip('}')) fail("a '}' is missing");
    }
    return element;
  }

  bool starts_value() {
    const char c = next();
    if (c == '"' || is_number(c)) return true;
    if (!is_word(c)) return false;
    const std::size_t start = at_;
    run_of([](char w) { return is_word(w) || w == '-' || w == '.'; });
    const bool is_name = next() == ':';
    at_ = start;
    return !is_name;
  }

  Value read_value() {
    const char c = next();
    if (c == '"') return read_text();
    if (is_number(c)) return read_number();
    const std::string_view word = run_of(is_word);
    if (word.empty()) fail("a value is expected here");
    // Single letters that stand for truth: 7.1 wrote Y and N, later ones T and F.
    if (word == "T" || word == "Y") return std::int64_t{1};
    if (word == "F" || word == "N") return std::int64_t{0};
    return std::string(word);
  }

  std::string read_text() {
    ++at_;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) fail("a text without its closing '\"'");
    std::string result;
    for (std::string_view rest = text_.substr(at_, end - at_); !rest.empty();) {
      constexpr std::string_view kQuote = "&quot;";
      const bool is_quote = rest.substr(0, kQuote.size()) == kQuote;
      result += is_quote ? '"' : rest.front();
      rest.remove_prefix(is_quote ? kQuote.size() : 1);
    }
    at_ = end + 1;
    return result;
  }

  // Without a point or exponent it is an integer, if it fits. "1.#QNAN" and the like are no numbers.
  Value read_number() {
    const std::string_view word = run_of(
        [](char c) { return is_number(c) || std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '#'; });
    const char *first = word.data() + (word.front() == '+' ? 1 : 0), *last = word.data() + word.size();
    std::int64_t whole = 0;
    if (const auto [end, error] = std::from_chars(first, last, whole); error == std::errc() && end == last)
      return whole;
    double number = 0;
    const auto [end, error] = std::from_chars(first, last, number);
    if (end == last && error == std::errc::result_out_of_range)
      return std::strtod(std::string(word).c_str(), nullptr);
    if (error != std::errc() || end != last) fail("\"" + shown(word) + "\" is not a number");
    return number;
  }

  void read_array(Element& element) {
    next();
    if (!is_number(next())) fail("the length of an array is expected here");
    const Value length = read_number();
    const bool opens = skip('{') && next() == 'a';
    if (!opens || run_of(is_word) != "a" || !skip(':')) fail("an array is expected here");
    std::vector<std::int64_t> whole;
    std::vector<double> numbers;
    bool all_whole = true;
    if (next() != '}') do {
        if (!is_number(next())) fail("a number is expected here");
        const Value value = read_number();
        const auto* i = std::get_if<std::int64_t>(&value);
        if (i == nullptr && all_whole) {
          numbers.assign(whole.begin(), whole.end());
          whole.clear();
          all_whole = false;
        }
        if (all_whole)
          whole.push_back(*i);
        else
          numbers.push_back(i != nullptr ? static_cast<double>(*i) : std::get<double>(value));
      } while (skip(','));
    if (!skip('}')) fail("a '}' is missing");
    const std::size_t count = all_whole ? whole.size() : numbers.size();
    if (const auto* expected = std::get_if<std::int64_t>(&length);
        expected == nullptr || *expected < 0 || static_cast<std::uint64_t>(*expected) != count)
      fail("the array has " + std::to_string(count) + " numbers, not as many as it says");
    if (all_whole)
      element.values.emplace_back(std::move(whole));
    else
      element.values.emplace_back(std::move(numbers));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_text(std::string_view bytes) {
  constexpr std::size_t kLook = 2048;  // the comment on top tells the version, then comes the header
  const std::size_t first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view start = bytes.substr(first, kLook);
  return start.substr(0, 5) == "; FBX" ||
         (start.front() == ';' && start.find("FBXHeaderExtension:") != start.npos) ||
         start.substr(0, 19) == "FBXHeaderExtension:";
}

File parse_text(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8
  if (bytes.substr(0, kMark.size()) == kMark) bytes.remove_prefix(kMark.size());
  return TextReader(bytes).read();
}

}  // namespace skinlight::fbx
