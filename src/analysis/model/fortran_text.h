/* The text of a Fortran source, as far as it takes to find the statements that name a procedure.
 *
 *	struct fortran_text *text = fortran_text_load(&arena, "/home/u/halo.f90");
 *	int line = fortran_text_mention(text, 10, 40, "MPI_Barrier");
 *
 * Lines count from 1. Both forms are understood: the name says which it is. */
#ifndef TARRY_ANALYSIS_MODEL_FORTRAN_TEXT_H
#define TARRY_ANALYSIS_MODEL_FORTRAN_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fortran_text {
	bool is_fixed;
	const char **lines;
	int count;
	uint64_t changed_ns; /* since 1970 */
};

/* NULL: it cannot be read. */
struct fortran_text *fortran_text_load(struct arena *arena, const char *path);

/* The first line from `first` to `last` that names the procedure outside of remarks; 0 if there is none. */
int fortran_text_mention(const struct fortran_text *text, int first, int last, const char *name);

/* First and last line of the statement that this line is part of. */
void fortran_text_statement(const struct fortran_text *text, int line, int *first, int *last);

#endif
