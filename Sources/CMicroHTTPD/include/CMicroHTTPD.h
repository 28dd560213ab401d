// What Swift cannot say of libmicrohttpd, GnuTLS, zlib and the kernel, and nothing else.
//
// Everything that is not here is called from Swift under its own name. No
// function below decides anything; each says why the original is out of reach.

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <zlib.h>
// Swift's Glibc leaves these out.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#pragma clang assume_nonnull begin

/// The callbacks of one daemon. They share `context`.
struct cmhd_callbacks {
  /// Called for every request: once with its head, then with each part of its
  /// body, then once more when it is complete.
  MHD_AccessHandlerCallback _Nonnull handle;
  /// Called with the request target as it was sent, before anything is decoded.
  void *_Nullable (*_Nonnull begin)(void *_Nullable context, const char *target,
                           struct MHD_Connection *connection);
  /// Called where libmicrohttpd would decode `%XX` in place.
  size_t (*_Nonnull unescape)(void *_Nullable context, struct MHD_Connection *connection, char *text);
  /// Called when a request is over, however it ended.
  MHD_RequestCompletedCallback _Nonnull finish;
  /// Called when a connection opens and when it closes.
  MHD_NotifyConnectionCallback _Nonnull notify;
  /// Called before a connection is taken.
  MHD_AcceptPolicyCallback _Nonnull admit;
  void *_Nullable context;
};

/// The settings of one daemon.
struct cmhd_settings {
  /// A bound and listening socket, which the daemon closes when it stops.
  int listeningSocket;
  /// Threads that each run an epoll loop.
  unsigned int threads;
  /// Connections at a time, all threads together.
  unsigned int connectionLimit;
  /// Bytes of memory for each connection: its heads, in and out.
  size_t connectionMemory;
};

/// `MHD_start_daemon`, which takes its options as variadic arguments. Certificates and key are PEM, and NULL without
/// TLS; the priorities are GnuTLS's words for what is spoken.
struct MHD_Daemon *_Nullable cmhd_start(unsigned int flags,
                                        const struct cmhd_settings *settings,
                                        const struct cmhd_callbacks *callbacks,
                                        const char *_Nullable certificates, const char *_Nullable key,
                                        const char *priorities);

/// `MHD_get_connection_info`, which is declared variadic.
const union MHD_ConnectionInfo *_Nullable cmhd_connection_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type);

/// `MHD_set_connection_value` of `Connection: close`, as if the client had asked
/// for it. The original keeps its arguments, and Swift has no C string that stays.
enum MHD_Result cmhd_ask_to_close(struct MHD_Connection *connection);

/// `MHD_set_connection_option` with the only option there is, a connection's own
/// timeout in seconds, which it takes as a variadic argument; 0: none of its own.
enum MHD_Result cmhd_set_timeout(struct MHD_Connection *connection, unsigned int seconds);

/// `MHD_set_response_options`, which takes its options as variadic arguments.
enum MHD_Result cmhd_set_response_flags(struct MHD_Response *response, enum MHD_ResponseFlags flags);

/// The kernel's counters of a TCP socket; all 0 for other sockets. The C library's `tcp_info` leaves most of it out.
struct cmhd_traffic {
  /// Bytes that have come.
  uint64_t received;
  /// Bytes that the peer has, perhaps unread.
  uint64_t acknowledged;
  /// Bytes that were written and that it does not have.
  uint64_t unsent;
  /// True if the peer has closed its side, after these bytes: `tcpi_state` is CLOSE_WAIT, a name that the kernel's
  /// `tcp_info` comes without.
  _Bool hasEnded;
};

/// `getsockopt` with the kernel's `tcp_info`, which no header has beside the C library's.
struct cmhd_traffic cmhd_traffic(int socket);

/// Reads for libmicrohttpd: how many bytes, 0 at the end, or what its source calls an error: minus an `errno`, or
/// GnuTLS's code.
typedef ssize_t (*cmhd_read)(void *context, void *buffer, size_t room);

/// Makes libmicrohttpd read a socket through `read`. It has no option for that: it calls `recv` or GnuTLS itself.
/// Returns false for a descriptor beyond the first million, or if there is no memory.
_Bool cmhd_claim(int socket, _Bool isSecure, cmhd_read read, void *context);

/// Undoes `cmhd_claim`. Call it before the socket is closed.
void cmhd_disclaim(int socket);

/// `deflateInit2` set to write gzip, which is a macro over the size of
/// `z_stream`. Returns zlib's code, `Z_OK` on success.
int cmhd_gzip_begin(z_stream *stream, int level);

#pragma clang assume_nonnull end

#endif
