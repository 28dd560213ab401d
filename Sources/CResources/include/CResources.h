#pragma once
#include <stddef.h>

/// A file of `Templates` or `Public` as it was at the build. In C because Swift has no `#embed`.
typedef struct {
  /// From the package's folder: `Public/dialog.js`.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t length;
} okc_resource;

/// The files one after another; NULL after the last.
const okc_resource *_Nullable okc_resource_at(size_t place);
