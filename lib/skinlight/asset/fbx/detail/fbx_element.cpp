#include "skinlight/asset/fbx/detail/fbx_element.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "skinlight/core/error.h"

namespace skinlight::fbx {

namespace {

// Null where there is none.
const Value* number_at(const Element& element, std::size_t index) {
  if (index >= element.values.size()) return nullptr;
  if (const auto* words = std::get_if<std::string>(&element.values[index]))
    throw InputError("", element.name + " " + shown(text(element, 0)),
                     "holds \"" + shown(*words) + "\", not a number");
  return &element.values[index];
}

// Calls take(number) with every number of an element, be it an array or a list of single values.
template <class Take>
void each_number(const Element& element, const std::string& where, const Take& take) {
  for (const Value& value : element.values) {
    if (const auto* i = std::get_if<std::int64_t>(&value))
      take(*i);
    else if (const auto* d = std::get_if<double>(&value))
      take(*d);
    else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
      std::for_each(list->begin(), list->end(), take);
    else if (const auto* numbers = std::get_if<std::vector<double>>(&value))
      std::for_each(numbers->begin(), numbers->end(), take);
    else
      throw InputError("", where + " " + element.name, "holds text, not numbers");
  }
}

std::int64_t whole(double number, const std::string& where) {
  constexpr double kLargest = 9.2e18;  // below 2^63
  if (!(std::abs(number) < kLargest) || number != std::floor(number))
    throw InputError("", where, "holds " + std::to_string(number) + ", not an integer");
  return static_cast<std::int64_t>(number);
}

}  // namespace

const Element* Element::child(std::string_view child_name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const Element& element) { return element.name == child_name; });
  return found == children.end() ? nullptr : &*found;
}

std::int64_t integer(const Element& element, std::size_t index, std::int64_t otherwise) {
  const Value* value = number_at(element, index);
  if (value == nullptr) return otherwise;
  if (const auto* i = std::get_if<std::int64_t>(value)) return *i;
  if (const auto* d = std::get_if<double>(value)) return whole(*d, element.name);
  return otherwise;
}

double real(const Element& element, std::size_t index, double otherwise) {
  const Value* value = number_at(element, index);
  if (value == nullptr) return otherwise;
  if (const auto* i = std::get_if<std::int64_t>(value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(value)) return *d;
  return otherwise;
}

std::string_view text(const Element& element, std::size_t index) {
  const auto* found =
      index < element.values.size() ? std::get_if<std::string>(&element.values[index]) : nullptr;
  return found == nullptr ? std::string_view() : std::string_view(*found);
}

std::string_view child_text(const Element& element, std::string_view child_name) {
  const Element* child = element.child(child_name);
  return child == nullptr ? std::string_view() : text(*child, 0);
}

std::vector<double> reals(const Element& element, std::string_view child_name, const std::string& where) {
  std::vector<double> numbers;
  if (const Element* child = element.child(child_name))
    each_number(*child, where, [&](auto number) { numbers.push_back(static_cast<double>(number)); });
  return numbers;
}

std::vector<std::int64_t> integers(const Element& element, std::string_view child_name,
                                   const std::string& where) {
  std::vector<std::int64_t> numbers;
  if (const Element* child = element.child(child_name))
    each_number(*child, where, [&](auto number) {
      if constexpr (std::is_same_v<decltype(number), double>)
        numbers.push_back(whole(number, where + " " + child->name));
      else
        numbers.push_back(number);
    });
  return numbers;
}

std::string shown(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  std::string result(name.substr(0, kLongest));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return result;
}

void require_version(std::int64_t version) {
  if (version >= 7000 && version < 8000) return;
  const std::string number = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 100);
  if (version >= 8000)
    throw InputError("", "", "is FBX " + number + ", which is newer than what is read here");
  throw InputError(
      "", "",
      "FBX " + number + " is an old format version; save the file as FBX 2011 (version 7.1) or later");
}

}  // namespace skinlight::fbx
