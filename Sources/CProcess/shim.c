#include "CProcess.h"

#include <sys/prctl.h>

// It only fails for values that there are not.
void cprocess_hide(void) { prctl(PR_SET_DUMPABLE, 0); }
