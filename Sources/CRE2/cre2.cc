#include "cre2.h"

#include <re2/re2.h>
#include <re2/stringpiece.h>

struct cre2_pattern {
  RE2 re2;
  cre2_pattern(const re2::StringPiece &source, const RE2::Options &options) : re2(source, options) {}
};

cre2_pattern *cre2_pattern_create(const char *bytes, size_t length, int64_t max_memory) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(max_memory);
  return new cre2_pattern(re2::StringPiece(bytes, length), options);
}

const char *cre2_pattern_error(const cre2_pattern *pattern) {
  return pattern->re2.ok() ? nullptr : pattern->re2.error().c_str();
}

int cre2_pattern_size(const cre2_pattern *pattern) {
  return pattern->re2.ProgramSize();
}

bool cre2_pattern_matches(const cre2_pattern *pattern, const void *bytes, size_t length) {
  return pattern->re2.Match(re2::StringPiece(static_cast<const char *>(bytes), length), 0, length, RE2::ANCHOR_BOTH, nullptr, 0);
}

void cre2_pattern_free(cre2_pattern *pattern) {
  delete pattern;
}
