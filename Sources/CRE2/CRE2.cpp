#include "CRE2.h"

#include <new>
#include <string>
#include <vector>

#include <re2/re2.h>

struct cre2_pattern {
  re2::RE2 expression;
  std::string error;

  cre2_pattern(re2::StringPiece source, const re2::RE2::Options &options) : expression(source, options) {
    if (!expression.ok()) error = expression.error();
  }
};

extern "C" {

cre2_pattern *cre2_compile(const char *pattern, size_t length) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  // Bounds the program that a hostile pattern such as (x{999}){999} may become.
  options.set_max_mem(4 << 20);
  return new (std::nothrow) cre2_pattern(re2::StringPiece(pattern, length), options);
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }

const char *cre2_error(const cre2_pattern *pattern) {
  return pattern->expression.ok() ? nullptr : pattern->error.c_str();
}

int cre2_group_count(const cre2_pattern *pattern) { return pattern->expression.NumberOfCapturingGroups(); }

const char *cre2_group_name(const cre2_pattern *pattern, int group) {
  const auto &names = pattern->expression.CapturingGroupNames();
  const auto found = names.find(group);
  return found == names.end() ? nullptr : found->second.c_str();
}

bool cre2_find(const cre2_pattern *pattern, const char *text, size_t length, size_t from, cre2_range *ranges, int count) {
  // RE2 tells an empty match from no match by its pointer, and an empty text may come without one.
  if (text == nullptr) text = "";
  std::vector<re2::StringPiece> groups(count > 0 ? count : 0);
  if (!pattern->expression.Match(
          re2::StringPiece(text, length), from, length, re2::RE2::UNANCHORED, groups.data(), count)) {
    return false;
  }
  for (int i = 0; i < count; i++) {
    const bool took_part = groups[i].data() != nullptr;
    ranges[i].start = took_part ? groups[i].data() - text : -1;
    ranges[i].end = took_part ? ranges[i].start + static_cast<int64_t>(groups[i].size()) : -1;
  }
  return true;
}
}
