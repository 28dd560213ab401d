// Debian's SQLite: its functions, under their own names.
#include <sqlite3.h>
