/* Arguments of MPI functions by their standard names, as rules use them and recorders record them: their properties
 * (generated from mpi.calls), and the syntax for one of them or a part of it.
 *
 *	color            a number, a truth value, a text, or the name of a handle: MPI_SUM
 *	dims[0]          an element of an array
 *	recvcounts.sum   over all elements; also min, max and length
 *	status.MPI_TAG   a part of a status; also MPI_SOURCE, MPI_ERROR and bytes; array_of_statuses[0].MPI_TAG */
#ifndef TARRY_CALLS_ARGUMENTS_H
#define TARRY_CALLS_ARGUMENTS_H

#include "calls/parameters.h"

#include <stdbool.h>
#include <stddef.h>

enum argument_base {
	ARGUMENT_NUMBER,
	ARGUMENT_TRUTH,
	ARGUMENT_ADDRESS,
	ARGUMENT_REQUEST, /* its number in the trace */
	ARGUMENT_STATUS,
	/* Texts from here on; of objects their name. */
	ARGUMENT_TEXT,
	ARGUMENT_COMM,
	ARGUMENT_TYPE,
	ARGUMENT_GROUP,
	ARGUMENT_WIN,
	ARGUMENT_FILE,
	ARGUMENT_OP,
	ARGUMENT_MESSAGE,
	ARGUMENT_SESSION,
	ARGUMENT_INFO,
	ARGUMENT_ERRHANDLER,
};

enum argument_shape {
	ARGUMENT_VALUE,
	ARGUMENT_PLACE, /* one value at an address */
	ARGUMENT_ARRAY,
};

/* The number of elements of an array: see mpi.calls. */
enum argument_length {
	LENGTH_NONE,
	LENGTH_PARAMETER,
	LENGTH_SUM,
	LENGTH_LAST,
	LENGTH_TRIPLE,
	LENGTH_DIMENSIONS,
	LENGTH_NULL,
	LENGTH_DESTINATIONS, /* one per process that receives data */
	LENGTH_SOURCES,      /* one per process that sends data */
	LENGTH_MEMBERS,      /* one per process of the local group */
};

struct argument_form {
	uint8_t base;    /* enum argument_base */
	uint8_t shape;   /* enum argument_shape */
	uint8_t is_wide; /* numbers at an address have 64 bits */
	uint8_t is_out;  /* known after the call */
	uint8_t length;  /* enum argument_length … */
	uint8_t other;   /* … of this parameter */
};

extern const struct argument_form call_argument_forms[MPI_CALLS][CALL_PARAMETERS_MAX - 1];

enum argument_part {
	ARGUMENT_WHOLE,
	ARGUMENT_SUM, /* of an array */
	ARGUMENT_MIN,
	ARGUMENT_MAX,
	ARGUMENT_LENGTH,
	ARGUMENT_SOURCE, /* of a status */
	ARGUMENT_TAG,
	ARGUMENT_ERROR,
	ARGUMENT_BYTES,
	ARGUMENT_PARTS
};

struct call_argument {
	uint16_t call; /* enum call_id */
	uint8_t parameter;
	uint8_t part;    /* enum argument_part */
	int32_t element; /* of an array; -1: the whole array */
};

enum { ARGUMENT_TEXT_MAX = 96, ARGUMENT_ELEMENTS_MAX = 1000000 };

static inline const struct argument_form *argument_form(const struct call_argument *argument)
{
	return &call_argument_forms[argument->call][argument->parameter];
}

static inline bool argument_is_text(const struct call_argument *argument)
{
	return argument_form(argument)->base >= ARGUMENT_TEXT && argument->part == ARGUMENT_WHOLE;
}

/* By its standard name; -1: the function has no such argument. */
int argument_find(enum call_id call, const char *name, size_t length);

extern const char *const argument_part_names[ARGUMENT_PARTS]; /* "" for ARGUMENT_WHOLE */

/* Checks element and part against the table. NULL: valid; otherwise the end of an error sentence. */
const char *argument_refusal(const struct call_argument *argument);

/* Parses "dims[0]", "status.MPI_TAG"; false: unknown. */
bool argument_parse(enum call_id call, const char *text, size_t length, struct call_argument *argument);
/* The inverse; returns `text`, which has room for ARGUMENT_TEXT_MAX. */
const char *argument_write(const struct call_argument *argument, char *text);

/* Parses a list for the recorder: "MPI_Comm_split:color/MPI_Cart_create:dims[0]". False: damaged. `list`
 * becomes the rest after the argument; NULL after the last. */
bool argument_list_next(const char **list, struct call_argument *argument);

#endif
