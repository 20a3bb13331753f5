/* Element types of messages: basic types and layouts of them, in the user's notation.
 *
 *	byte, char, int8, short, int, long, unsigned, float, double
 *	2int, short_int, long_int, float_int, double_int	pairs, for minloc and maxloc
 *	vector:COUNT,LENGTH,STRIDE[:BASIC]	COUNT times LENGTH elements, STRIDE elements from one start to the next
 *	indexed:LENGTH@PLACE,…[:BASIC]	lengths and places in elements
 *	struct:BASIC@PLACE,…	places in bytes
 *	layout:LENGTH@PLACE,…	lengths and places in bytes
 *	/path or ./path	a file with one of these
 *
 * `vector`, `indexed` and `struct` alone are small examples. Parsing needs no MPI; the type is created later. */
#ifndef TARRY_BENCH_RUN_DATATYPES_H
#define TARRY_BENCH_RUN_DATATYPES_H

#include "base/arena.h"
#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum basic_kind {
	KIND_BYTE = 1 << 0,
	KIND_TEXT = 1 << 1,
	KIND_INTEGER = 1 << 2,
	KIND_FLOAT = 1 << 3,
	KIND_PAIR = 1 << 4, /* a value and its index; not usable in layouts */
};

/* A pair as one number, whose order is by value and then by index. */
enum { PLACES_IN_PAIRS = 2 };

struct basic {
	const char *name;
	MPI_Datatype (*type)(void); /* not a constant in every MPI library */
	size_t size;
	enum basic_kind kind;
	void (*put)(void *at, int64_t value);
	/* total[i] += values[i]; not for pairs */
	void (*add)(const void *values, void *totals, size_t count);
	size_t hole, hole_bytes; /* padding inside the pair */
};

extern const struct basic basics[]; /* ends with an entry without a name */

/* Consecutive elements. */
struct piece {
	size_t offset; /* bytes from the start of the type */
	size_t count;
	const struct basic *basic;
};

/* Its constructor in MPI. */
struct type_map;
typedef void datatype_maker(int count, const struct type_map *map, MPI_Datatype *type);
datatype_maker datatype_vector, datatype_indexed, datatype_struct;

struct datatype {
	const char *name; /* as the user wrote it */
	const struct piece *pieces;
	size_t count;
	size_t size;          /* bytes of data */
	size_t extent;        /* bytes from one element to the next */
	datatype_maker *make; /* NULL: a basic type */
};

enum status datatype_read(const char *words, struct arena *arena, struct datatype *datatype) MUST_CHECK;

/* Commits it; datatype_free() frees it. */
MPI_Datatype datatype_make(const struct datatype *datatype);
void datatype_free(const struct datatype *datatype, MPI_Datatype *type);

/* The number of elements that hold at least these bytes. */
uint64_t datatype_count(const struct datatype *datatype, uint64_t bytes);

#endif
