/* UPC compilers: the implementation of a compiler command, and the compiler and linker options for programs
 * that are to be recorded. */
#ifndef TARRY_CLI_UPC_COMPILER_H
#define TARRY_CLI_UPC_COMPILER_H

#include "base/arena.h"

#include <stdbool.h>

enum upc_family {
	UPC_NONE, /* no UPC compiler, or an unknown one */
	UPC_BERKELEY,
	UPC_GNU,
	UPC_CLANG,
};

/* Runs the compiler with a few options. Its name decides only which options are tried first. */
enum upc_family upc_compiler_recognise(const char *path);

/* "Berkeley UPC", "GNU UPC", "Clang UPC". */
const char *upc_family_name(enum upc_family family);

/* True if the runtime of this Berkeley UPC was built with instrumentation. Otherwise its programs cannot be
 * recorded. */
bool upc_compiler_instruments(const char *path);

/* Options of `tarry upcc`. */
struct upc_options {
	bool local;     /* also record single accesses to local memory */
	bool functions; /* record the program's functions as regions */
	bool gasp_only; /* record only what the runtime reports: no headers, no wrappers */
};

/* Parts of this installation that are compiled or linked into programs. */
struct upc_parts {
	const char *folder;  /* with sources and headers */
	const char *library; /* libtarry-gasp.a */
};

/* The command `words` with the options, sources and libraries that recording needs; NULL after the last.
 * Commands that compile nothing are not changed. */
char **upc_command(enum upc_family family, const struct upc_options *options, const struct upc_parts *parts,
                   char **words, struct arena *arena);

/* True if a trivial source compiles, but not with Tarry's additions. */
bool upc_headers_fail(enum upc_family family, const char *path, const struct upc_parts *parts);

#endif
