#include "CMicroHTTPD.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/socket.h>

// In the place of the C library's and GnuTLS's, for the whole process: libmicrohttpd 0.9.75 offers no other way to see
// the bytes that it reads, and nobody can tell afterwards what they were. Sockets that nobody has claimed are read as
// ever.

enum { claimable = 1 << 20 };

// By descriptor, in two tables, since GnuTLS itself reads what is encrypted with recv.
static _Atomic(void *) plain[claimable], secure[claimable];
static _Atomic(cmhd_read) reader;

_Bool cmhd_claim(int socket, _Bool isSecure, cmhd_read read, void *context) {
  if (socket < 0 || socket >= claimable) return 0;
  atomic_store(&reader, read);
  atomic_store((isSecure ? secure : plain) + socket, context);
  return 1;
}

void cmhd_disclaim(int socket) {
  if (socket < 0 || socket >= claimable) return;
  atomic_store(plain + socket, NULL);
  atomic_store(secure + socket, NULL);
}

static void *claimed(_Atomic(void *) *contexts, intptr_t socket) {
  if (socket < 0 || socket >= claimable) return NULL;
  return atomic_load_explicit(contexts + socket, memory_order_acquire);
}

ssize_t recv(int socket, void *buffer, size_t room, int flags) {
  void *context = claimed(plain, socket);
  if (!context) return recvfrom(socket, buffer, room, flags, NULL, NULL);
  ssize_t count = atomic_load_explicit(&reader, memory_order_relaxed)(context, buffer, room);
  if (count >= 0) return count;
  errno = (int)-count;
  return -1;
}

ssize_t gnutls_record_recv(gnutls_session_t session, void *buffer, size_t room) {
  unsigned char sequence[8];
  void *context = claimed(secure, (intptr_t)gnutls_transport_get_ptr(session));
  if (!context) return gnutls_record_recv_seq(session, buffer, room, sequence);
  return atomic_load_explicit(&reader, memory_order_relaxed)(context, buffer, room);
}
