#define _XOPEN_SOURCE 700
#include "CProcess.h"
#include "Held.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const struct {
  int number;
  const char *name;
} faults[] = {
  {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
  {SIGFPE, "SIGFPE"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
};
enum { fault_count = sizeof faults / sizeof faults[0] };

// What each of them did before: end the process, unless a debugger or sanitizer handles it.
static struct sigaction earlier[fault_count];
static char program[64];
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;

static void append(char *line, const char *text) { strncat(line, text, 255 - strlen(line)); }

static void on_crash(int number) {
  // Others that crash meanwhile wait for the end. A second fault of this thread ends the process: all signals are blocked.
  while (atomic_flag_test_and_set(&has_crashed)) pause();
  cprocess_put_back_terminal();
  char line[256] = "";
  append(line, program);
  append(line, " crashed (");
  int index = 0;
  while (faults[index].number != number) index++;
  append(line, faults[index].name);
  append(line, "); nothing acknowledged is lost; please report this\n");
  // A pipe that nobody reads must not keep the process from ending.
  struct pollfd error = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&error, 1, 1000) == 1 && error.revents & POLLOUT) (void)!write(STDERR_FILENO, line, strlen(line));
  sigaction(number, &earlier[index], NULL);
  // It ends the process as soon as this returns, with the state at the fault in its core.
  raise(number);
}

void cprocess_report_crashes(const char *name) {
  strncpy(program, name, sizeof program - 1);
  static char stack[cprocess_alternate_stack_size];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (int index = 0; index < fault_count; index++) sigaction(faults[index].number, &action, &earlier[index]);
}

void cprocess_run_on_own_thread(void (*run)(void *), void *argument) {
  // At the base of the thread's stack, which an overflow does not reach.
  char stack[cprocess_alternate_stack_size];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  run(argument);
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}
