// An FBX file as written: named elements with values and children, before anything is made of them. Binary
// and text files give the same tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skinlight::fbx {

// Integers and truth values, real numbers, text or bytes, arrays.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct Element {
  std::string name;
  std::vector<Value> values;
  std::vector<Element> children;

  // The first child of a name, or null.
  const Element* child(std::string_view child_name) const;
};

// A whole file: its top-level elements stand in `root`.
struct File {
  bool is_text = false;
  Element root;
};

// Whether the bytes start as a binary FBX file does, or as its text form.
bool is_binary(std::string_view bytes);
bool is_text(std::string_view bytes);

// Throw InputError naming the element and its place: bytes that end early, sizes that point outside, elements
// nested too deep, arrays that would fill the memory. Versions other than 7.x are refused.
File parse_binary(std::string_view bytes);
File parse_text(std::string_view bytes);

// Values as what they are wanted as. Numbers of either kind convert; a value that is absent is the default, or
// empty. Throw InputError where text stands in place of a number, and for integers that are not whole.
std::int64_t integer(const Element& element, std::size_t index, std::int64_t otherwise = 0);
double real(const Element& element, std::size_t index, double otherwise = 0);
std::string_view text(const Element& element, std::size_t index);
std::string_view child_text(const Element& element, std::string_view child_name);

// The array of a child; empty where there is no such child. Throws InputError naming `where` and the child for
// values that are no numbers, and for integers those that are not whole or do not fit.
std::vector<double> reals(const Element& element, std::string_view child_name, const std::string& where);
std::vector<std::int64_t> integers(const Element& element, std::string_view child_name,
                                   const std::string& where);

// Control characters shown as '?', and cut short, so that an error stays one line.
std::string shown(std::string_view name);

// How deep elements may be nested: real files reach 6.
inline constexpr int kDeepest = 64;

// Throws the error of a version that is not read here.
void require_version(std::int64_t version);

}  // namespace skinlight::fbx
