// SQLite 3, as the system ships it; only the module Journal imports this.
#include <sqlite3.h>
#include <sys/vfs.h>

// What Swift cannot call: variadic functions, and a macro that is a cast.

// Binds a copy of the text; never NULL, which an empty Swift string would be.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
  return sqlite3_bind_text64(statement, index, text ? text : "", bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Sets a boolean option of a connection (SQLITE_DBCONFIG_...).
static inline int csqlite_set_option(sqlite3 *database, int option, int value) {
  int now = 0;
  return sqlite3_db_config(database, option, value, &now);
}

// The kind of file system that a path lies on, by its magic number of statfs(2), which Swift's Glibc leaves out: what
// SQLite's locks and syncs are worth depends on it.
static inline int csqlite_file_system_type(const char *path, unsigned int *type) {
  struct statfs system;
  if (statfs(path, &system) != 0) return -1;
  *type = (unsigned int)system.f_type;
  return 0;
}
