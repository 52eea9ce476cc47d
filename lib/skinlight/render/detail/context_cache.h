// What a context keeps from one drawing to the next. Private to render.
#pragma once

#include <map>
#include <optional>

#include "skinlight/render/detail/gl_draw.h"
#include "skinlight/render/detail/gl_program.h"

namespace skinlight {

// Its context must be current whenever it is used. When the context goes, so do its objects, at a time when it
// need not be current: so they are not deleted one by one.
class ContextCache {
 public:
  ContextCache() = default;
  ContextCache(const ContextCache&) = delete;
  ContextCache& operator=(const ContextCache&) = delete;
  ~ContextCache();

  // Built when it is first asked for. Throws as build_program().
  const GlObject& program(const ProgramSource& source);
  // One is kept, for pictures of one size after another. Throws as OffscreenTarget().
  OffscreenTarget& target(int width, int height);

 private:
  std::map<ProgramSource, GlObject> programs_;
  std::optional<OffscreenTarget> target_;
};

}  // namespace skinlight
