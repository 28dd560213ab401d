#define _XOPEN_SOURCE 700
#include "CProcess.h"
#include "Held.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// The terminal that is held, or -1, with its settings before and while it is.
static volatile sig_atomic_t held = -1;
static struct termios before, during;
static atomic_uint resumptions;

// What stops the program, and what ends it and nobody handles. Crashes (Crash.c) and the signals that a command handles
// restore the terminal on the way.
static const int trapped[] = {SIGTSTP, SIGQUIT};
enum { trapped_count = sizeof trapped / sizeof trapped[0] };
// What each of them did before.
static struct sigaction earlier[trapped_count];

void cprocess_put_back_terminal(void) {
  static const char shown[] = "\033[?25h\033[?2004l\033[0m\r\n";
  if (held < 0) return;
  if (!(during.c_lflag & ICANON)) (void)!write(held, shown, sizeof shown - 1);
  tcsetattr(held, TCSANOW, &before);
  // What was typed for the dialog is for nothing else. (TCSAFLUSH would wait for what is still to be written.)
  tcflush(held, TCIFLUSH);
}

static void on_end(int number) {
  cprocess_put_back_terminal();
  held = -1;
  // The handler is gone (SA_RESETHAND).
  raise(number);
}

static void on_stop(int number) {
  int code = errno;
  cprocess_put_back_terminal();
  struct sigaction stopping = {.sa_handler = SIG_DFL}, handling;
  sigaction(number, &stopping, &handling);
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
  // It goes on here.
  sigaction(number, &handling, NULL);
  if (held >= 0 && tcgetpgrp(held) == getpgrp()) {
    tcsetattr(held, TCSANOW, &during);
    tcflush(held, TCIFLUSH);
  }
  atomic_fetch_add(&resumptions, 1);
  errno = code;
}

static void trap(int index) {
  bool stops = trapped[index] == SIGTSTP;
  struct sigaction action = {.sa_handler = stops ? on_stop : on_end, .sa_flags = stops ? SA_RESTART : (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(trapped[index], &action, &earlier[index]);
}

int cprocess_hold_terminal(int descriptor, bool shows_lines, bool is_secret) {
  // What was typed before is for something else.
  int action = held < 0 ? TCSAFLUSH : TCSADRAIN;
  if (held < 0) {
    if (tcgetattr(descriptor, &before)) return errno;
    for (int index = 0; index < trapped_count; index++) trap(index);
  }
  during = before;
  // Ctrl-C and Ctrl-Z are for this process alone, and not for the script around it.
  during.c_lflag &= ~(tcflag_t)ISIG;
  if (shows_lines) {
    during.c_cc[VEOL] = 'C' & 0x1F;
    during.c_cc[VEOL2] = 'Z' & 0x1F;
    if (is_secret) during.c_lflag = (during.c_lflag & ~(tcflag_t)ECHO) | ECHONL;
  } else {
    during.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
    during.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    during.c_cc[VMIN] = 1;
    during.c_cc[VTIME] = 0;
  }
  held = descriptor;
  return tcsetattr(descriptor, action, &during) ? errno : 0;
}

void cprocess_release_terminal(void) {
  if (held < 0) return;
  tcsetattr(held, TCSAFLUSH, &before);
  held = -1;
  for (int index = 0; index < trapped_count; index++) sigaction(trapped[index], &earlier[index], NULL);
}

unsigned cprocess_resumptions(void) { return atomic_load(&resumptions); }

int cprocess_columns(uint32_t code_point) { return wcwidth((wchar_t)code_point); }
