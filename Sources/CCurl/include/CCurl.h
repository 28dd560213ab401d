// libcurl, opened only when a request goes out: it brings two dozen libraries
// along, which a server that sends no callbacks need not load. `ccurl_open`
// finds its functions, which have libcurl's own names and types. No function
// below decides anything.
// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift cannot
// call: each `ccurl_` function is one of them with an argument of one type.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

#pragma clang assume_nonnull begin

#define CCURL_FUNCTIONS(F) \
  F(curl_global_init) F(curl_slist_append) F(curl_slist_free_all) \
  F(curl_easy_init) F(curl_easy_cleanup) F(curl_easy_strerror) \
  F(curl_multi_init) F(curl_multi_cleanup) F(curl_multi_add_handle) F(curl_multi_remove_handle) \
  F(curl_multi_perform) F(curl_multi_poll) F(curl_multi_wakeup)

/// libcurl's functions that Swift can call, each under its own name.
struct ccurl {
#define CCURL_FIELD(name) __typeof__(name) *name;
  CCURL_FUNCTIONS(CCURL_FIELD)
#undef CCURL_FIELD
};

/// Opens `libcurl.so.4` and finds its functions, also for those below. Returns NULL if all are there, else what the
/// linker says. To be called once, before anything else here.
const char *_Nullable ccurl_open(struct ccurl *library);

/// Sets an option that takes a `long`.
CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);

/// `CURLOPT_USE_SSL`: `CURLUSESSL_ALL` or `CURLUSESSL_NONE`, whose type in Swift is not the same in all versions of libcurl.
CURLcode ccurl_set_needs_tls(CURL *handle, _Bool needed);

/// Sets an option that takes a text, which libcurl copies.
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);

/// `CURLOPT_ERRORBUFFER`: `CURL_ERROR_SIZE` bytes that must live as long as the handle.
CURLcode ccurl_set_error_buffer(CURL *handle, char *buffer);

/// `CURLOPT_POSTFIELDSIZE_LARGE` and `CURLOPT_COPYPOSTFIELDS`: libcurl copies the bytes.
CURLcode ccurl_set_body(CURL *handle, const void *bytes, size_t count);

/// `CURLOPT_HTTPHEADER` or `CURLOPT_MAIL_RCPT`: the list must live as long as the handle uses it.
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *_Nullable list);

/// Takes `count` bytes of what has come. Another number than `count` ends the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *_Nullable context);

/// `CURLOPT_HEADERFUNCTION` and `CURLOPT_WRITEFUNCTION`, which share `context`.
CURLcode ccurl_set_receivers(CURL *handle, ccurl_receiver head, ccurl_receiver body,
                             void *_Nullable context);

/// `CURLOPT_READFUNCTION`: fills the bytes with what is to be sent, and returns how many there were; 0 ends it.
CURLcode ccurl_set_sender(CURL *handle, ccurl_receiver sender, void *_Nullable context);

/// The value of a `curl_easy_getinfo` info that is a `long`, or 0 if there is none.
long ccurl_long(CURL *handle, CURLINFO info);

/// The value of a `curl_easy_getinfo` info that is a `curl_off_t`, or 0 if there is none.
curl_off_t ccurl_offset(CURL *handle, CURLINFO info);

/// The next transfer that has ended, and how, or NULL if none has. This is the
/// only kind of message of `curl_multi_info_read`; its result is a member of a
/// union.
CURL *_Nullable ccurl_next_ended(CURLM *multi, CURLcode *result);

#pragma clang assume_nonnull end

#endif
