// Debian's SQLite: its functions, under their own names.
#include <sqlite3.h>

/// Swift cannot call `sqlite3_db_config`, which takes a variable number of arguments. This sets one of its switches.
static inline int csqlite_set(sqlite3 *_Nonnull database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// Nor `sqlite3_config`, for the same reason. This sets one of its switches, before any file is opened.
static inline int csqlite_configure(int option, int value) { return sqlite3_config(option, value); }
