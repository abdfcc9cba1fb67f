#define _GNU_SOURCE
#include "CLibCurl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define EACH_FUNCTION(F) \
  F(global_init) F(version_info) \
  F(easy_init) F(easy_cleanup) F(easy_reset) F(easy_strerror) F(easy_setopt) F(easy_getinfo) \
  F(slist_append) F(slist_free_all) \
  F(multi_init) F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle) \
  F(multi_perform) F(multi_poll) F(multi_wakeup) F(multi_info_read) \
  F(share_init) F(share_setopt) F(share_cleanup) \
  F(url) F(url_cleanup) F(url_set) F(url_get) F(free)

// Members are named call_…, because curl.h has macros named like some functions.
struct table {
#define MEMBER(name) __typeof__(&curl_##name) call_##name;
  EACH_FUNCTION(MEMBER)
#undef MEMBER
};

static struct table curl;

bool clibcurl_load(const char *library, char *reason, size_t capacity) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *cause = dlerror();
    snprintf(reason, capacity, "%s", cause ? cause : library);
    return false;
  }
  struct table found;
#define FIND(name) \
  *(void **)&found.call_##name = dlsym(handle, "curl_" #name); \
  if (!found.call_##name) { \
    snprintf(reason, capacity, "%s has no function `curl_%s`", library, #name); \
    dlclose(handle); \
    return false; \
  }
  EACH_FUNCTION(FIND)
#undef FIND
  const curl_version_info_data *version = found.call_version_info(CURLVERSION_NOW);
  if (version->version_num < CLIBCURL_OLDEST_VERSION) {
    snprintf(reason, capacity, "%s is version %s; 7.80 or newer is needed", library, version->version);
    dlclose(handle);
    return false;
  }
  if (found.call_global_init(CURL_GLOBAL_ALL) != CURLE_OK) {
    snprintf(reason, capacity, "%s cannot be initialised", library);
    return false;
  }
  curl = found;
  return true;
}

CURL *clibcurl_easy_init(void) { return curl.call_easy_init(); }
void clibcurl_easy_cleanup(CURL *easy) { curl.call_easy_cleanup(easy); }
void clibcurl_easy_reset(CURL *easy) { curl.call_easy_reset(easy); }
const char *clibcurl_easy_strerror(CURLcode code) { return curl.call_easy_strerror(code); }

CURLcode clibcurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl.call_easy_setopt(easy, option, value);
}
CURLcode clibcurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.call_easy_setopt(easy, option, value);
}
CURLcode clibcurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.call_easy_setopt(easy, option, value);
}
CURLcode clibcurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl.call_easy_setopt(easy, option, value);
}
CURLcode clibcurl_set_list(CURL *easy, CURLoption option, const struct curl_slist *value) {
  return curl.call_easy_setopt(easy, option, value);
}
CURLcode clibcurl_set_receiver(CURL *easy, CURLoption option, size_t (*receiver)(char *, size_t, size_t, void *)) {
  return curl.call_easy_setopt(easy, option, receiver);
}
CURLcode clibcurl_set_prereq(CURL *easy, curl_prereq_callback callback) {
  return curl.call_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode clibcurl_set_http_only(CURL *easy) {
  // CURLOPT_PROTOCOLS_STR came with 7.85; its predecessor, 181, is deprecated and works everywhere.
  const CURLoption protocols = (CURLoption)(CURLOPTTYPE_LONG + 181);
  return curl.call_easy_setopt(easy, protocols, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
CURLcode clibcurl_set_close_on_exec(CURL *easy) {
  return curl.call_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

CURLcode clibcurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl.call_easy_getinfo(easy, info, value);
}
CURLcode clibcurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl.call_easy_getinfo(easy, info, value);
}
CURLcode clibcurl_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl.call_easy_getinfo(easy, info, value);
}
CURLcode clibcurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl.call_easy_getinfo(easy, info, value);
}

struct curl_slist *clibcurl_slist_append(struct curl_slist *list, const char *line) {
  return curl.call_slist_append(list, line);
}
void clibcurl_slist_free_all(struct curl_slist *list) { curl.call_slist_free_all(list); }

CURLM *clibcurl_multi_init(void) { return curl.call_multi_init(); }
CURLMcode clibcurl_multi_cleanup(CURLM *multi) { return curl.call_multi_cleanup(multi); }
CURLMcode clibcurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.call_multi_setopt(multi, option, value);
}
CURLMcode clibcurl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.call_multi_add_handle(multi, easy); }
CURLMcode clibcurl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.call_multi_remove_handle(multi, easy); }
CURLMcode clibcurl_multi_perform(CURLM *multi, int *running) { return curl.call_multi_perform(multi, running); }
CURLMcode clibcurl_multi_poll(CURLM *multi, int timeout_ms) {
  return curl.call_multi_poll(multi, NULL, 0, timeout_ms, NULL);
}
CURLMcode clibcurl_multi_wakeup(CURLM *multi) { return curl.call_multi_wakeup(multi); }

CURL *clibcurl_multi_next_finished(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = curl.call_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

CURLSH *clibcurl_share_tls_sessions(void) {
  CURLSH *share = curl.call_share_init();
  if (share) curl.call_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  return share;
}
CURLSHcode clibcurl_share_cleanup(CURLSH *share) { return curl.call_share_cleanup(share); }

CURLU *clibcurl_url(void) { return curl.call_url(); }
void clibcurl_url_cleanup(CURLU *url) { curl.call_url_cleanup(url); }
CURLUcode clibcurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return curl.call_url_set(url, part, text, flags);
}
CURLUcode clibcurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return curl.call_url_get(url, part, text, flags);
}
void clibcurl_free(void *memory) { curl.call_free(memory); }
