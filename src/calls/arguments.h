/* Arguments of MPI's functions by their names in the standard, as rules ask for them and recorders note them: what each is
 * (made from mpi.calls), and the words for one of them or a part of it.
 *
 *	color            a number, a truth, a text, or a handle by its name: MPI_SUM
 *	dims[0]          an element of an array
 *	recvcounts.sum   of all its elements; also min, max and length
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
	/* From here on texts: of objects, a name. */
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
	ARGUMENT_PLACE, /* one at an address */
	ARGUMENT_ARRAY,
};

/* How many elements an array has: mpi.calls. */
enum argument_length {
	LENGTH_NONE,
	LENGTH_PARAMETER,
	LENGTH_SUM,
	LENGTH_LAST,
	LENGTH_TRIPLE,
	LENGTH_DIMENSIONS,
	LENGTH_NULL,
	LENGTH_DESTINATIONS, /* one for each process that data goes to */
	LENGTH_SOURCES,      /* or comes from */
	LENGTH_MEMBERS,      /* or is in the local group */
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
	int32_t element; /* of an array; -1: all of it */
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

/* By its name in the standard; -1: the function has none of this name. */
int argument_find(enum call_id call, const char *name, size_t length);

extern const char *const argument_part_names[ARGUMENT_PARTS]; /* "" of ARGUMENT_WHOLE */

/* Whether the argument has such an element and part, as far as the table can tell. NULL: yes; else the end of a sentence about it. */
const char *argument_refusal(const struct call_argument *argument);

/* "dims[0]", "status.MPI_TAG"; false: there is none such. */
bool argument_parse(enum call_id call, const char *text, size_t length, struct call_argument *argument);
/* The other way; returns `text`, which has room for ARGUMENT_TEXT_MAX. */
const char *argument_write(const struct call_argument *argument, char *text);

/* A list for the recorder: "MPI_Comm_split:color/MPI_Cart_create:dims[0]". False: it is damaged. `list` becomes the rest after the argument; NULL: it was
 * the last. */
bool argument_list_next(const char **list, struct call_argument *argument);

#endif
