// Loaded before libc into a server under test: its machine's clock is OKCANCEL_TEST_CLOCK seconds ahead. With `jumps` it
// is ten years ahead at one call and ten years behind at the next.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static _Atomic unsigned calls;
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  const char *offset = getenv("OKCANCEL_TEST_CLOCK");
  if (result != 0 || clock != CLOCK_REALTIME || offset == NULL) return result;
  time->tv_sec += strcmp(offset, "jumps") ? atol(offset) : calls++ % 2 ? 315360000 : -315360000;
  return result;
}
