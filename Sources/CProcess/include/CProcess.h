#pragma once

/// Keeps other processes of this user from reading this one's memory and the variables that it was started with
/// (PR_SET_DUMPABLE in prctl(2)); root still can. In C because Swift cannot call functions with variable arguments.
void cprocess_hide(void);
