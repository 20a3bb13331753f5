/* The parts of a datatype, from MPI_Type_get_contents_c, or from MPI_Type_get_contents in older libraries. The older function ends the program if
 * a type was created with large counts.
 *
 *	struct type_contents contents;
 *	if (type_contents_open(&contents, type) && !combiner_is_named(contents.combiner)) {
 *		if (type_contents_read(&contents, type)) …
 *		type_contents_release(&contents);
 *	} */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPE_CONTENTS_H
#define TARRY_JOB_CHECK_OBJECTS_TYPE_CONTENTS_H

#include "job/mpi/flavour.h"

#include <stdbool.h>

#if defined(OPEN_MPI) || defined(TARRY_FAKE_MPI)
#define TYPE_OF(handle) ((MPI_Datatype)(uintptr_t)(handle)) /* NOLINT(performance-no-int-to-ptr) */
#else
#define TYPE_OF(handle) ((MPI_Datatype)(handle))
#endif

struct type_contents {
	int combiner;
	int integer_count, address_count, type_count;
	int count_count; /* a type created with large counts has these instead of integers and addresses */
	int *integers;
	MPI_Aint *addresses;
	MPI_Count *counts;
	MPI_Datatype *types;
};

/* Reads how the type was created, and how much there is to read. False: MPI does not know the type. */
bool type_contents_open(struct type_contents *contents, MPI_Datatype type);
/* False: MPI does not know the type, or out of memory. */
bool type_contents_read(struct type_contents *contents, MPI_Datatype type);
void type_contents_release(struct type_contents *contents);
/* For MPI_COMBINER_STRUCT: the number of elements of the n-th type. */
uint64_t type_contents_times(const struct type_contents *contents, int n);
/* True for basic types, including those of MPI_Type_create_f90_real and similar functions. */
bool combiner_is_named(int combiner);

#endif
