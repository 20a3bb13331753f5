/* Kinds of MPI objects (enum object_kind): their handles in C and Fortran, their null handles. */
#ifndef TARRY_JOB_CHECK_OBJECTS_OBJECT_KINDS_H
#define TARRY_JOB_CHECK_OBJECTS_OBJECT_KINDS_H

#include "calls/parameters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const char *object_type_name(enum object_kind kind); /* "MPI_Comm" */
const char *null_handle_name(enum object_kind kind); /* "MPI_COMM_NULL" */
bool handle_is_null(enum object_kind kind, uint64_t handle);
/* True if the value cannot be a handle of this kind. */
bool handle_is_malformed(enum object_kind kind, uint64_t handle);

/* The handle in a variable or an array element, in C or Fortran. */
uint64_t handle_at(enum object_kind kind, const void *array, size_t index, bool fortran);

/* True for a Fortran handle without a C handle: the value is its complement (fortran_handle). */
bool handle_is_missing(uint64_t handle);
/* Room for a handle as the program sees it. */
enum { HANDLE_TEXT = 24 };
void handle_print(uint64_t handle, bool fortran, char text[HANDLE_TEXT]);

/* Predefined objects of MPI. */
struct predefined_object {
	enum object_kind kind;
	uint64_t handle;
	const char *name; /* "MPI_INT" */
};

bool predefined_next(size_t *position, struct predefined_object *object);

#endif
