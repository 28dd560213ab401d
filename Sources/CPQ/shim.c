#include "CPQ.h"

#include <dlfcn.h>

const char *cpq_open(struct cpq *library) {
  void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
#define CPQ_FIND(name) \
  if ((library->name = (__typeof__(name) *)dlsym(handle, #name)) == NULL) return dlerror();
  CPQ_FUNCTIONS(CPQ_FIND)
#undef CPQ_FIND
  return NULL;
}
