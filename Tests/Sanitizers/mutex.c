// Tells ThreadSanitizer of Swift's Mutex, which on Linux waits in the kernel where nothing is instrumented:
// without this, whatever a Mutex guards is reported as a race as soon as two threads met at it.
//
// Loaded with LD_PRELOAD; it stands before libswiftSynchronization's two slow paths and does nothing in a
// process without the sanitizer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

SWIFT void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*lock)(uint32_t, SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  lock(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*unlock)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(handle);
  unlock(handle);
}
