/* The predefined types that each predefined operation accepts, in the groups of the standard (MPI 4.0, 6.9.2).
 *
 *	operation_takes(HANDLE(MPI_BAND), operand_class_of("MPI_DOUBLE"))       false */
#ifndef TARRY_JOB_CHECK_OBJECTS_OPERAND_CLASSES_H
#define TARRY_JOB_CHECK_OBJECTS_OPERAND_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

enum operand_class {
	OPERAND_UNKNOWN = 0, /* not checked */
	OPERAND_C_INTEGER = 1,
	OPERAND_FORTRAN_INTEGER = 2,
	OPERAND_FLOAT = 4,
	OPERAND_LOGICAL = 8,
	OPERAND_COMPLEX = 16,
	OPERAND_BYTE = 32,
	OPERAND_MULTI_LANGUAGE = 64, /* MPI_AINT, MPI_COUNT, MPI_OFFSET */
	OPERAND_PAIR = 128,
	OPERAND_OTHER = 256,   /* characters and packed data */
	OPERAND_DERIVED = 512, /* created by the program */
};

/* The class of a predefined type, by name. */
enum operand_class operand_class_of(const char *type);
/* NULL: not a predefined operation. */
const char *operation_name(uint64_t op);
bool operation_takes(uint64_t op, enum operand_class operand);
/* MPI_Compare_and_swap (12.3.4). */
bool swap_takes(enum operand_class operand);
/* MPI_REPLACE and MPI_NO_OP, which no reduction accepts. */
bool operation_is_one_sided(uint64_t op);

#endif
