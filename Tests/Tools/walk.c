// Loaded before libc into a program under test: says which of its functions run, in the order of their first calls. Each
// of them begins with a breakpoint, which its first call removes.
//
// OKCANCEL_TEST_WALK names a file of 64-bit numbers, shared with walk.py: see `walk` below.

#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST = 1 << 16, BREAKPOINT = 0xCC };
enum { RESTS, BEGINS, RECORDS, ENDS };

static struct {
  _Atomic uint64_t state, reached;
  // Where functions begin in the program's file, in order: 0 after the last.
  uint64_t functions[MOST];
  // Those that were called, in order.
  uint64_t calls[MOST];
} *walk;

static uint8_t *program, replaced[MOST];
static size_t count;

// What comes first is the program itself.
static int open_code(struct dl_phdr_info *info, size_t size, void *data) {
  program = (uint8_t *)info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uint8_t *page = program + (part->p_vaddr & ~4095ul);
    if (part->p_type == PT_LOAD && part->p_flags & PF_X)
      mprotect(page, program + part->p_vaddr + part->p_memsz - page, PROT_READ | PROT_WRITE | PROT_EXEC);
  }
  return 1;
}

static int compare(const void *one, const void *other) {
  uint64_t first = *(const uint64_t *)one, second = *(const uint64_t *)other;
  return (first > second) - (first < second);
}

static void on_breakpoint(int signal, siginfo_t *info, void *context) {
  greg_t *next = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  uint64_t place = (uint8_t *)--*next - program;
  uint64_t *found = bsearch(&place, walk->functions, count, sizeof place, compare);
  if (!found) abort();
  // Two threads may call it at once.
  uint8_t byte = BREAKPOINT;
  if (atomic_compare_exchange_strong((_Atomic uint8_t *)program + place, &byte, replaced[found - walk->functions]))
    walk->calls[walk->reached++] = place;
}

static void *obey(void *unused) {
  for (;; usleep(1000)) {
    if (walk->state == BEGINS) {
      for (count = 0; walk->functions[count]; count++) {
        replaced[count] = program[walk->functions[count]];
        program[walk->functions[count]] = BREAKPOINT;
      }
      walk->state = RECORDS;
    } else if (walk->state == ENDS) {
      for (size_t i = 0; i < count; i++) program[walk->functions[i]] = replaced[i];
      walk->state = RESTS;
    }
  }
}

__attribute__((constructor)) static void start(void) {
  int file = open(getenv("OKCANCEL_TEST_WALK") ?: "", O_RDWR);
  if (file < 0) return;
  walk = mmap(NULL, sizeof *walk, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  dl_iterate_phdr(open_code, NULL);
  sigaction(SIGTRAP, &(struct sigaction){.sa_sigaction = on_breakpoint, .sa_flags = SA_SIGINFO}, NULL);
  pthread_create(&(pthread_t){0}, NULL, obey, NULL);
}
