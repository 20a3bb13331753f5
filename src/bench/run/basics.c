#include "bench/run/datatypes.h"

#include <stddef.h>
#include <string.h>

/* Signed overflow wraps, as on the machine. */
#pragma GCC optimize("wrapv")

/* name, C type, MPI type, kind */
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

#define ROW(name, c_type, mpi_type, kind) \
	{#name, type_##name, sizeof(c_type), kind, put_##name, add_##name, 0, 0},

/* name, C name, type of the value, MPI type */
#define PAIRS(X) \
	X("2int", two_int, int, MPI_2INT) \
	X("short_int", short_int, short, MPI_SHORT_INT) \
	X("long_int", long_int, long, MPI_LONG_INT) \
	X("float_int", float_int, float, MPI_FLOAT_INT) \
	X("double_int", double_int, double, MPI_DOUBLE_INT)

#define PAIR_FUNCTIONS(word, name, c_type, mpi_type) \
	struct name { \
		c_type value; \
		int place; \
	}; \
	static MPI_Datatype type_##name(void) \
	{ \
		return mpi_type; \
	} \
	static void put_##name(void *at, int64_t value) \
	{ \
		struct name *pair = at; \
		int64_t found = value / PLACES_IN_PAIRS; \
		pair->value = (c_type)found; \
		pair->place = (int)(value % PLACES_IN_PAIRS); \
	}

PAIRS(PAIR_FUNCTIONS)

#define BEFORE_PLACE(name) (offsetof(struct name, place) - sizeof(((struct name *)0)->value))
#define BEHIND_PLACE(name) (sizeof(struct name) - offsetof(struct name, place) - sizeof(int))

#define PAIR_ROW(word, name, c_type, mpi_type) \
	{word, \
	 type_##name, \
	 sizeof(struct name), \
	 KIND_PAIR, \
	 put_##name, \
	 NULL, \
	 BEFORE_PLACE(name) ? sizeof(c_type) : offsetof(struct name, place) + sizeof(int), \
	 BEFORE_PLACE(name) + BEHIND_PLACE(name)},

const struct basic basics[] = {BASICS(ROW) PAIRS(PAIR_ROW){0}};
