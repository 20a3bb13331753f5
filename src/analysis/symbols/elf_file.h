/* The properties of an ELF file that decide what can be loaded into it. */
#ifndef TARRY_ANALYSIS_SYMBOLS_ELF_FILE_H
#define TARRY_ANALYSIS_SYMBOLS_ELF_FILE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct elf_file {
	bool has_interpreter;  /* the dynamic linker starts it */
	bool defines_mpi;      /* has its own MPI_Init */
	bool defines_recorder; /* linked with Tarry's recorder */
	const char *own_mpi;   /* of MPI that is linked in: "openmpi", "mpich"; NULL: unknown */
	const char *interface; /* of the MPI library that this is: also "abi"; NULL: it is none */
	bool defines_upc;      /* has the start function of a UPC runtime */
	bool defines_gasp;     /* linked by 'tarry upcc' */
	bool loads_libraries;  /* calls dlopen() */
	const char **needed;   /* DT_NEEDED */
	size_t needed_count;
	const char *rpath;
	const char *runpath;
};

/* False: not an ELF file, or damaged. */
bool elf_file_read(const char *path, struct arena *arena, struct elf_file *file);

#endif
