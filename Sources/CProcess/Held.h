#pragma once

/// Room for the handler of a crash, with the registers that the processor saves.
enum { cprocess_alternate_stack_size = 32 << 10 };

/// Gives the terminal back as it was, if it is held; safe in a signal handler.
void cprocess_put_back_terminal(void);
