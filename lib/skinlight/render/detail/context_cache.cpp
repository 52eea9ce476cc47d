#include "skinlight/render/detail/context_cache.h"

namespace skinlight {

ContextCache::~ContextCache() {
  for (auto& [source, program] : programs_) program.release();
  if (target_) target_->release();
}

const GlObject& ContextCache::program(const ProgramSource& source) {
  auto known = programs_.find(source);
  if (known == programs_.end()) known = programs_.emplace(source, build_program(source)).first;
  return known->second;
}

OffscreenTarget& ContextCache::target(int width, int height) {
  if (!target_ || target_->width() != width || target_->height() != height) {
    target_.reset();
    target_.emplace(width, height);
  }
  return *target_;
}

}  // namespace skinlight
