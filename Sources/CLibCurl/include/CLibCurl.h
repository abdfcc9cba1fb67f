// libcurl behind a table of function pointers.
//
// Linking libcurl costs every start of the process about 7 ms (thirty libraries), so nothing links it: the
// headers give types and constants, `clibcurl_load` fills the table from libcurl.so.4, and each function
// below forwards to it. A direct call of `curl_easy_init` and its like compiles and then fails to link, which is meant.
//
// Variadic calls (`curl_easy_setopt`, `curl_easy_getinfo`, …) have one typed function for each kind of argument,
// because Swift cannot call variadic C.
#ifndef CLIBCURL_H
#define CLIBCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK
#endif
#include <curl/curl.h>

// These are casts, which Swift does not import.
static const long clibcurl_auth_basic = (long)CURLAUTH_BASIC;
static const long clibcurl_auth_any = (long)CURLAUTH_ANY;

// The oldest libcurl with CURLOPT_PREREQFUNCTION, without which nothing is sent: 7.80.
#define CLIBCURL_OLDEST_VERSION 0x075000

// Loads `library` and initialises it. Returns false and writes one line into `reason` where it is absent,
// too old, or lacks a function. Not thread-safe: call it once, before any other function of this file.
bool clibcurl_load(const char *library, char *reason, size_t capacity);

CURL *clibcurl_easy_init(void);
void clibcurl_easy_cleanup(CURL *easy);
void clibcurl_easy_reset(CURL *easy);
const char *clibcurl_easy_strerror(CURLcode code);

CURLcode clibcurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode clibcurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode clibcurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode clibcurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode clibcurl_set_list(CURL *easy, CURLoption option, const struct curl_slist *value);
// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
CURLcode clibcurl_set_receiver(CURL *easy, CURLoption option, size_t (*receiver)(char *, size_t, size_t, void *));
CURLcode clibcurl_set_prereq(CURL *easy, curl_prereq_callback callback);
// `http` and `https` and nothing else, with every version of libcurl.
CURLcode clibcurl_set_http_only(CURL *easy);
// Sockets that no child process inherits.
CURLcode clibcurl_set_close_on_exec(CURL *easy);

CURLcode clibcurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode clibcurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode clibcurl_get_string(CURL *easy, CURLINFO info, const char **value);
CURLcode clibcurl_get_pointer(CURL *easy, CURLINFO info, void **value);

struct curl_slist *clibcurl_slist_append(struct curl_slist *list, const char *line);
void clibcurl_slist_free_all(struct curl_slist *list);

CURLM *clibcurl_multi_init(void);
CURLMcode clibcurl_multi_cleanup(CURLM *multi);
CURLMcode clibcurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode clibcurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode clibcurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode clibcurl_multi_perform(CURLM *multi, int *running);
CURLMcode clibcurl_multi_poll(CURLM *multi, int timeout_ms);
CURLMcode clibcurl_multi_wakeup(CURLM *multi);
// The next finished transfer and its result; NULL when there is none left.
CURL *clibcurl_multi_next_finished(CURLM *multi, CURLcode *result);

// A share of TLS sessions for handles that one thread uses: it has no locks.
CURLSH *clibcurl_share_tls_sessions(void);
CURLSHcode clibcurl_share_cleanup(CURLSH *share);

CURLU *clibcurl_url(void);
void clibcurl_url_cleanup(CURLU *url);
CURLUcode clibcurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode clibcurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void clibcurl_free(void *memory);

#endif
