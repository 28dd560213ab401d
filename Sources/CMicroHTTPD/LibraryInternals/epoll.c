#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// Replaces the C library's function in the whole process. libmicrohttpd (0.9.75 to 1.0.10) asks for 128 events and, if
// it gets that many, asks again before it handles them, without a timeout. If all clients are waiting for a response,
// no event comes. If it gets one event fewer than it has room for, it does not ask again; the rest come in its next
// turn.
//
// The documented way is a loop of our own around `MHD_run`, on the daemon's epoll descriptor. Tried with 64 connections
// it cost no more (a page 11.3 µs of CPU instead of 13.1, rules 11.4 both, a verdict 14.3 instead of 14.4, give or take
// 10 % on a busy machine). But its tests hung where another thread resumes a connection, and where one waits for a
// place in a full server; until that is understood, libmicrohttpd runs its own threads.
int epoll_wait(int descriptor, struct epoll_event *events, int room, int timeout) {
  return epoll_pwait(descriptor, events, room > 1 ? room - 1 : room, timeout, NULL);
}

// In the place of the C library's, for the whole process: removing a descriptor that is not in the set succeeds.
// libmicrohttpd 0.9.75 and 1.0.1 abort the process over it, though their own threads race: as they stop taking
// connections, one thread removes the listening socket, and a worker that wakes at that moment removes it too. 1.0.10
// has a lock for that.
int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event) {
  int result = (int)syscall(SYS_epoll_ctl, set, operation, descriptor, event);
  return result < 0 && operation == EPOLL_CTL_DEL && errno == ENOENT ? 0 : result;
}
