#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

/// A compiled RE2 pattern. Matching changes nothing that a caller can observe,
/// so one pattern may be used by any number of threads at once.
typedef struct cre2_pattern cre2_pattern;

/// Compiles `length` bytes of RE2 syntax in UTF-8, without captures and without a log on stderr.
///
/// `max_memory` bounds the program and its lazily built automaton, in bytes.
/// The result is never NULL and must be passed to `cre2_pattern_free`; `cre2_pattern_error` says whether it compiled.
/// Swift cannot call the original: it is a C++ constructor that takes a string view and an options object.
cre2_pattern *cre2_pattern_create(const char *bytes, size_t length, int64_t max_memory);

/// RE2's reason for not compiling the pattern; NULL if it did. Lives as long as the pattern. Swift cannot call the
/// original: it returns a reference to a std::string.
const char *_Nullable cre2_pattern_error(const cre2_pattern *pattern);

/// The number of instructions of the compiled program, or -1 if it did not compile; the cost of a match grows with it.
/// Swift cannot call the original: it is a C++ member function.
int cre2_pattern_size(const cre2_pattern *pattern);

/// True if the pattern matches all of the `length` bytes. The bytes are UTF-8 and need no terminator. Swift cannot call
/// the original: it is a C++ member function that takes a string view.
bool cre2_pattern_matches(const cre2_pattern *pattern, const void *_Nullable bytes, size_t length);

/// Gives back what `cre2_pattern_create` made.
/// Swift cannot call the original: it is a C++ destructor.
void cre2_pattern_free(cre2_pattern *pattern);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
