// Loaded before libc into a command under test: as long as there is the file TEST_STILL, the time since the machine's
// start, by which presses are timed, stands still.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct timespec stopped;
  static bool is_still;
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  const char *file = getenv("TEST_STILL");
  if (result != 0 || clock != CLOCK_BOOTTIME || file == NULL) return result;
  pthread_mutex_lock(&lock);
  bool was_still = is_still;
  is_still = access(file, F_OK) == 0;
  if (is_still && !was_still) stopped = *time;
  if (is_still) *time = stopped;
  pthread_mutex_unlock(&lock);
  return result;
}
