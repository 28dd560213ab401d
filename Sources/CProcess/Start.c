#define _XOPEN_SOURCE 700
#include "CProcess.h"

#include <signal.h>
#include <string.h>

// The command has it; other programs with this library do not.
extern __attribute__((weak)) void okcancel_is_command(void);

// Has signals that do not stop a server wait until it handles them. They come as soon as there is a process: this runs
// before `main` and all else in the executable. Threads that start later hold them too.
__attribute__((constructor(101))) static void hold_signals(int count, char **words) {
  if (!okcancel_is_command || count < 2 || strcmp(words[1], "serve") != 0) return;
  sigset_t held;
  sigemptyset(&held);
  const int numbers[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE};
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) sigaddset(&held, numbers[index]);
  sigprocmask(SIG_BLOCK, &held, NULL);
}
