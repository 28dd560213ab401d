// Loaded before libc into a server under test: makes its database's disk fail.
//
// OKCANCEL_TEST_FAULT names a file of three 32-bit numbers, shared with the test: the kind of fault,
// how many calls from now it comes, and how often it came. Writes to the database and its write-ahead
// log are remembered until they are synchronized; a fault that loses them puts back what was there.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  NONE,
  // A synchronization of the log that has something to keep fails once with EIO, and that is lost: as
  // Linux does, the next one succeeds.
  SYNC_FAILS,
  // Writes to the log fail with ENOSPC until the test takes the fault away.
  DISK_FULL,
  // As DISK_FULL, but the first write that fails is written in half.
  DISK_FULL_HALFWAY,
  // The power fails as the log is written: the process ends, and so does all that was not synchronized.
  POWER_FAILS,
  // The same as the log is to be synchronized.
  POWER_FAILS_AT_SYNC,
  // As SYNC_FAILS, of the database itself, into which the log is copied when it has grown.
  CHECKPOINT_FAILS,
  // The power fails before anything is done to the database or its log, the log's removal too.
  POWER_FAILS_ANYWHERE,
};

static struct {
  _Atomic int kind, countdown, hits;
} *control;

struct undo {
  struct undo *next;
  int fd;
  off_t offset, size;
  size_t length;
  char bytes[];
};

static struct undo *undone[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void start(void) {
  real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  real_unlink = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  const char *path = getenv("OKCANCEL_TEST_FAULT");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) abort();
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
}

// 0: the database, 1: its log, -1: some other file.
static int role(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  const char *ends[] = {".sqlite", ".sqlite-wal"};
  for (int role = 0; role < 2; role++) {
    size_t end = strlen(ends[role]);
    if ((size_t)length > end && strcmp(path + length - end, ends[role]) == 0) return role;
  }
  return -1;
}

static int strikes(int kind) {
  if (control->kind != kind) return 0;
  if (atomic_fetch_sub(&control->countdown, 1) > 1) return 0;
  atomic_fetch_add(&control->hits, 1);
  return 1;
}

static void forget(int role) {
  for (struct undo *one; (one = undone[role]); free(one)) undone[role] = one->next;
}

static void lose(int role) {
  for (struct undo *one = undone[role]; one; one = one->next) {
    real_pwrite(one->fd, one->bytes, one->length, one->offset);
    if (ftruncate(one->fd, one->size)) abort();
  }
  forget(role);
}

static void fail_power(void) {
  lose(0);
  lose(1);
  kill(getpid(), SIGKILL);
  pause();
}

static int synchronize(int fd, int (*real)(int)) {
  int which = role(fd);
  if (which < 0) return real(fd);
  pthread_mutex_lock(&lock);
  if (strikes(POWER_FAILS_ANYWHERE) || (which == 1 && strikes(POWER_FAILS_AT_SYNC))) fail_power();
  int failed = undone[which] && strikes(which == 1 ? SYNC_FAILS : CHECKPOINT_FAILS);
  if (failed) {
    control->kind = NONE;
    lose(which);
  } else {
    forget(which);
  }
  pthread_mutex_unlock(&lock);
  if (failed) {
    errno = EIO;
    return -1;
  }
  return real(fd);
}

int fdatasync(int fd) { return synchronize(fd, real_fdatasync); }
int fsync(int fd) { return synchronize(fd, real_fsync); }

static void remember(int role, int fd, size_t length, off_t offset) {
  struct stat status;
  struct undo *one = malloc(sizeof *one + length);
  if (!one || fstat(fd, &status)) abort();
  ssize_t before = pread(fd, one->bytes, length, offset);
  *one = (struct undo){undone[role], fd, offset, status.st_size, before > 0 ? (size_t)before : 0};
  undone[role] = one;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  int which = role(fd);
  if (which < 0) return real_pwrite(fd, bytes, length, offset);
  pthread_mutex_lock(&lock);
  if (strikes(POWER_FAILS_ANYWHERE)) fail_power();
  int kind = control->kind, full = 0;
  if (which == 1) {
    if (strikes(POWER_FAILS)) fail_power();
    full = strikes(DISK_FULL) || strikes(DISK_FULL_HALFWAY);
  }
  if (full && kind == DISK_FULL_HALFWAY && length > 1) {
    control->kind = DISK_FULL;
    length /= 2;
    full = 0;
  }
  if (!full) remember(which, fd, length, offset);
  ssize_t written = full ? -1 : real_pwrite(fd, bytes, length, offset);
  int error = full ? ENOSPC : errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

int unlink(const char *path) {
  size_t length = strlen(path);
  pthread_mutex_lock(&lock);
  if (length > 4 && strcmp(path + length - 4, "-wal") == 0 && strikes(POWER_FAILS_ANYWHERE)) fail_power();
  pthread_mutex_unlock(&lock);
  return real_unlink(path);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }
