#include "CCurl.h"

#include <dlfcn.h>

// libcurl's header checks the types of some calls with macros, which fit functions but not pointers to them.
#undef curl_easy_setopt
#undef curl_easy_getinfo

// Those that only the functions below call.
static struct {
  __typeof__(curl_easy_setopt) *curl_easy_setopt;
  __typeof__(curl_easy_getinfo) *curl_easy_getinfo;
  __typeof__(curl_multi_info_read) *curl_multi_info_read;
} curl;

const char *ccurl_open(struct ccurl *library) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
#define CCURL_FIND_FOR(table, name) \
  if ((table name = (__typeof__(name) *)dlsym(handle, #name)) == NULL) return dlerror();
#define CCURL_FIND(name) CCURL_FIND_FOR(library->, name)
  CCURL_FUNCTIONS(CCURL_FIND)
  CCURL_FIND_FOR(curl., curl_easy_setopt)
  CCURL_FIND_FOR(curl., curl_easy_getinfo)
  CCURL_FIND_FOR(curl., curl_multi_info_read)
#undef CCURL_FIND
#undef CCURL_FIND_FOR
  return NULL;
}

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl.curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_needs_tls(CURL *handle, _Bool needed) {
  return curl.curl_easy_setopt(handle, CURLOPT_USE_SSL, (long)(needed ? CURLUSESSL_ALL : CURLUSESSL_NONE));
}

CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl.curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_error_buffer(CURL *handle, char *buffer) {
  return curl.curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

CURLcode ccurl_set_body(CURL *handle, const void *bytes, size_t count) {
  CURLcode code = curl.curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  if (code != CURLE_OK) return code;
  return curl.curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl.curl_easy_setopt(handle, option, list);
}

CURLcode ccurl_set_sender(CURL *handle, ccurl_receiver sender, void *context) {
  curl.curl_easy_setopt(handle, CURLOPT_READFUNCTION, sender);
  return curl.curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

CURLcode ccurl_set_receivers(CURL *handle, ccurl_receiver head, ccurl_receiver body, void *context) {
  curl.curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  curl.curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  curl.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  return curl.curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

long ccurl_long(CURL *handle, CURLINFO info) {
  long value = 0;
  return curl.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t ccurl_offset(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  return curl.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

CURL *ccurl_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  for (CURLMsg *message; (message = curl.curl_multi_info_read(multi, &left));)
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return NULL;
}
