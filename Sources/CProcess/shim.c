#define _GNU_SOURCE

#include "CProcess.h"

#include <sys/mman.h>
#include <sys/prctl.h>

// It only fails for values that there are not.
void cprocess_hide(void) { prctl(PR_SET_DUMPABLE, 0); }

int cprocess_memory_file(void) { return memfd_create("okcancel", MFD_CLOEXEC); }
