#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Keeps other processes of this user from reading this one's memory and the variables that it was started with
/// (PR_SET_DUMPABLE in prctl(2)); root still can. In C because Swift cannot call functions with variable arguments.
void cprocess_hide(void);

/// Has a crash of this process write one line to standard error, and put the terminal back, before its signal ends the
/// process as it would have. Call it on the main thread. In C because only functions that are safe in signal handlers may
/// do that, which none of Swift's are.
///
/// @param name The program and its version, at most 63 bytes.
void cprocess_report_crashes(const char *name);

/// Runs a thread's function with a second stack, on which a crash is reported if the thread's own has overflowed.
void cprocess_run_on_own_thread(void (*run)(void *), void *argument);

/// Has the terminal give every key at once and show none (termios(3)), until `cprocess_release_terminal`. If the process
/// is stopped or ended by a signal meanwhile, the terminal is as it was before; once the process goes on, it is held again.
/// In C because only functions that are safe in signal handlers may do that, which none of Swift's are.
///
/// @param shows_lines Whether to leave the terminal its lines, which Ctrl-C and Ctrl-Z then end too, and only hide what is
/// typed if `is_secret`.
/// @return 0, or the error number.
int cprocess_hold_terminal(int descriptor, bool shows_lines, bool is_secret);
void cprocess_release_terminal(void);

/// The number of times that the process went on after a stop.
unsigned cprocess_resumptions(void);

/// An unnamed file in memory (memfd_create(2)) that programs do not inherit, or -1. In C because the header only declares
/// that for programs that ask for it.
int cprocess_memory_file(void);

/// The number of terminal columns of a code point (wcwidth(3)), or -1 if it is not printable. In C because the header
/// only declares it for programs that ask for it.
int cprocess_columns(uint32_t code_point);
