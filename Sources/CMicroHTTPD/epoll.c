#include <stddef.h>
#include <sys/epoll.h>

// In the place of the C library's, for the whole process: libmicrohttpd 0.9.75
// asks for 128 events and, when so many come, asks again before it handles
// them, willing to wait for ever. When all clients wait for their answers, none
// comes. Given one event fewer than it has room for, it does not ask again; the
// rest come with its next turn.
int epoll_wait(int descriptor, struct epoll_event *events, int room, int timeout) {
  return epoll_pwait(descriptor, events, room > 1 ? room - 1 : room, timeout, NULL);
}
