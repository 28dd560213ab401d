#pragma once
#include <stddef.h>

/// A file as it was at the build. In C because Swift has no `#embed`.
typedef struct {
  /// The folder that it is known by, and its path there: `Public/dialog.js`.
  const char *_Nonnull path;
  /// Its bytes and, since none of them is 0, a 0 that ends them.
  const unsigned char *_Nonnull text;
} okc_resource;

/// The files one after another; NULL after the last.
const okc_resource *_Nullable okc_resource_at(size_t place);
