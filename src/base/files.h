/* Reading and writing whole: as often as it takes, through interruptions and calls that do less than asked. */
#ifndef TARRY_BASE_FILES_H
#define TARRY_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* False: errno; a file that ends too early is EIO. */
bool write_fully(int fd, const void *bytes, size_t size);
bool pwrite_fully(int fd, const void *bytes, size_t size, off_t offset);
bool pread_fully(int fd, void *bytes, size_t size, off_t offset);

#endif
