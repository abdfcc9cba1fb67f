#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern; safe to match from several threads at once.
typedef struct cre2_pattern cre2_pattern;

/// Where a group matched, in bytes; `start` is -1 for a group that took no part.
typedef struct {
  int64_t start;
  int64_t end;
} cre2_range;

/// Compiles a UTF-8 pattern in RE2 syntax. Never null but for want of memory; ask `cre2_error` before matching.
cre2_pattern *cre2_compile(const char *pattern, size_t length);

void cre2_free(cre2_pattern *pattern);

/// The reason why the pattern is not valid, owned by the pattern; null where it is valid.
const char *cre2_error(const cre2_pattern *pattern);

/// The number of capturing groups, the whole match not counted.
int cre2_group_count(const cre2_pattern *pattern);

/// The name of a group (1 is the first), owned by the pattern; null where it has none.
const char *cre2_group_name(const cre2_pattern *pattern, int group);

/// Finds the first match at or after `from`; fills `count` ranges, the whole match first.
bool cre2_find(const cre2_pattern *pattern, const char *text, size_t length, size_t from, cre2_range *ranges, int count);

#ifdef __cplusplus
}
#endif

#endif
