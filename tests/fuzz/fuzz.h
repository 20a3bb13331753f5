/* A parser under attack. Each target, target_NAME.c, passes one input to one of our parsers, which may only succeed or
 * report an error. The same targets are run twice: by driver.c, which makes the same damaged inputs each
 * time (`make test`), and by libFuzzer, which looks for inputs that reach new code (`make fuzz`).
 *
 * The first byte of an input is none of the parser's: its bits say how the rest is handed over. */
#ifndef TARRY_TESTS_FUZZ_H
#define TARRY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How many values of the first byte mean something, from 0. */
extern const uint8_t fuzz_modes;

/* A path in a folder in memory that is removed with the process. Valid until the program ends. */
const char *scratch_path(const char *name);
/* Replaces the file. */
void scratch_write(const char *path, const void *bytes, size_t size);
/* The caller frees it. */
char *scratch_read(const char *path, size_t *size);

/* Corrects the checksums of all chunks in a trace, so that damage reaches the decoders. */
void mend_checksums(uint8_t *trace, size_t size);

/* Ends the program, as a broken promise of the parser must. */
_Noreturn void give_up(const char *what);

#endif
