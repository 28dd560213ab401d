// Loaded before libc into a server under test: its machine's clock is OKCANCEL_TEST_CLOCK seconds ahead.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  const char *offset = getenv("OKCANCEL_TEST_CLOCK");
  if (result == 0 && clock == CLOCK_REALTIME && offset != NULL) time->tv_sec += atol(offset);
  return result;
}
