#include "CMicroHTTPD.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>

// `recv` and `gnutls_record_recv` below replace those of the C library and GnuTLS in the whole process: libmicrohttpd
// (0.9.75 to 1.0.10) offers no other way to see the bytes that it reads, and they cannot be recovered afterwards.
// Sockets that were not claimed are read as usual.

// The contexts by descriptor, in pages that are allocated when needed. Each descriptor has two, since GnuTLS itself
// calls `recv` for the encrypted bytes.
enum { size = 1024, plain = 0, secure = 1 };
struct page { _Atomic(void *) contexts[size][2]; };
static _Atomic(struct page *) pages[size];
static _Atomic(cmhd_read) reader;

static struct page *page(intptr_t socket) {
  if (socket < 0 || socket >= size * size) return NULL;
  return atomic_load_explicit(pages + socket / size, memory_order_acquire);
}

_Bool cmhd_claim(int socket, _Bool isSecure, cmhd_read read, void *context) {
  if (socket < 0 || socket >= size * size) return 0;
  struct page *made = page(socket), *found = NULL;
  if (!made) {
    made = calloc(1, sizeof *made);
    if (!made) return 0;
    // Another thread may have been faster.
    if (!atomic_compare_exchange_strong(pages + socket / size, &found, made)) {
      free(made);
      made = found;
    }
  }
  atomic_store(&reader, read);
  atomic_store(&made->contexts[socket % size][isSecure ? secure : plain], context);
  return 1;
}

void cmhd_disclaim(int socket) {
  struct page *of = page(socket);
  if (!of) return;
  atomic_store(&of->contexts[socket % size][plain], NULL);
  atomic_store(&of->contexts[socket % size][secure], NULL);
}

static void *claimed(int use, intptr_t socket) {
  struct page *of = page(socket);
  return of ? atomic_load_explicit(&of->contexts[socket % size][use], memory_order_acquire) : NULL;
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
