/* UPC compilers: the implementation behind a command, and the compiler and linker options for programs that are to be recorded. */
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

/* Asks the program itself; the name only decides the first question. */
enum upc_family upc_compiler_recognise(const char *path);

/* "Berkeley UPC", "GNU UPC", "Clang UPC". */
const char *upc_family_name(enum upc_family family);

/* Of a Berkeley UPC: was its runtime built with instrumentation? Only then it compiles anything that can be recorded. */
bool upc_compiler_instruments(const char *path);

/* Other ways to record than the usual. */
struct upc_options {
	bool local;     /* single accesses to memory that is near, too */
	bool functions; /* the program's functions, as regions */
	bool gasp_only; /* nothing that the runtime does not report by itself: sources stay as they are */
};

/* Where this installation keeps what goes into programs. */
struct upc_parts {
	const char *folder;  /* with sources and headers */
	const char *library; /* libtarry-gasp.a */
};

/* The command that compiles and links as `words` say, with what recording needs; NULL after the last. Words that compile nothing
 * stay as they are. */
char **upc_command(enum upc_family family, const struct upc_options *options, const struct upc_parts *parts,
                   char **words, struct arena *arena);

/* Does a source that compiles also compile with Tarry's additions? */
bool upc_headers_fail(enum upc_family family, const char *path, const struct upc_parts *parts);

#endif
