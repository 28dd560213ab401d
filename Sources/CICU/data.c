#include <stdint.h>

// Foundation, linked statically, brings ICU's data along: 32 MB of calendars, collations and formats of all languages,
// more than the rest of the command. Nothing here asks for any of it, so the command is linked with a table of contents
// that has no entries, as ICU allows (its "stub data"). The linker takes this one and leaves the archive's where it is.
// With a toolchain whose ICU has another version, the name differs and the command is bigger, but works alike.
// Should anybody ask nevertheless, ICU looks for a file icudt76l.dat: Tests/Package watches for that,
// and Tests/Tools/foundation.txt lists what may be used of Foundation.
__attribute__((visibility("hidden"), aligned(16))) const struct {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, info_reserved;
  uint8_t is_big_endian, charset, char16_size, reserved;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t entries, end;
} icudt76_dat = {
  .header_size = 32,
  .magic = {0xDA, 0x27},
  .info_size = 20,
  .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
  .char16_size = 2,
  .format = {'C', 'm', 'n', 'D'},
  .format_version = {1},
};
