#include "bench/datatypes.h"

#include <string.h>

/* Signed overflow wraps, as it does in the machine. */
#pragma GCC optimize("wrapv")

/* name, type of C, type of MPI, kind */
#define BASICS(X) \
	X(byte, unsigned char, MPI_BYTE, KIND_BYTE) \
	X(char, char, MPI_CHAR, KIND_TEXT) \
	X(int8, int8_t, MPI_INT8_T, KIND_INTEGER) \
	X(short, short, MPI_SHORT, KIND_INTEGER) \
	X(int, int, MPI_INT, KIND_INTEGER) \
	X(long, long, MPI_LONG, KIND_INTEGER) \
	X(unsigned, unsigned, MPI_UNSIGNED, KIND_INTEGER) \
	X(float, float, MPI_FLOAT, KIND_FLOAT) \
	X(double, double, MPI_DOUBLE, KIND_FLOAT)

#define FUNCTIONS(name, c_type, mpi_type, kind) \
	static MPI_Datatype type_##name(void) \
	{ \
		return mpi_type; \
	} \
	static void put_##name(void *at, int64_t value) \
	{ \
		c_type element = (c_type)value; \
		memcpy(at, &element, sizeof element); \
	} \
	static void add_##name(const void *values, void *totals, size_t count) \
	{ \
		const c_type *from = values; \
		c_type *to = totals; \
		for (size_t i = 0; i < count; i++) \
			to[i] = (c_type)(to[i] + from[i]); \
	}

BASICS(FUNCTIONS)

#define ROW(name, c_type, mpi_type, kind) {#name, type_##name, sizeof(c_type), kind, put_##name, add_##name},

const struct basic basics[] = {BASICS(ROW){0}};
