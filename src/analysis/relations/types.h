/* The values of a trace that rules can use: their types, and the tables that generate.py makes from
 * relations.table. The language identifies columns by name, the engine by number; a recipe says how to get a
 * value from the model's rows.
 *
 *	const struct recipe *recipe = &recipes[NATIVE_TRANSFER_SEND];
 *	const struct occurrence *send = (const void *)((const char *)row + recipe->offset); */
#ifndef TARRY_ANALYSIS_RELATIONS_TYPES_H
#define TARRY_ANALYSIS_RELATIONS_TYPES_H

#include "analysis/relations/columns.h"

#include <stdbool.h>
#include <stdint.h>

/* Values are 64-bit integers (times in ns, bytes, ranks, numbers of objects) or doubles (`is_real`). */
enum base_type {
	TYPE_BOOL,
	TYPE_NUMBER, /* with a unit: powers of seconds and bytes; an instant is a point in time */
	TYPE_RANK,
	TYPE_TEXT,     /* a string, interned */
	TYPE_FUNCTION, /* MPI_Send */
	TYPE_PLACE,    /* in the source: equal for calls of one function from one place */
	TYPE_IDENTITY, /* of an object: only equality is defined; `thing` is its kind */
	TYPE_EVENT,
};

enum thing {
	THING_PROCESS,
	THING_THREAD,
	THING_NODE,
	THING_COMM,
	THING_WINDOW,
	THING_FILE,
	THING_REQUEST,
	THING_MUTEX,
	THING_INSTANCE,
	THING_COMPLETION,
	THING_PHASE,
	THING_EVENT
};

struct type {
	enum base_type base;
	bool is_real;
	bool is_instant;
	bool is_late; /* known at the end of the trace: can only be shown, alone or plus times */
	int8_t seconds, bytes;
	enum thing thing;
};

struct native_value {
	enum relation relation; /* of a native column */
	const char *name;
	struct type type;
	const char *what;
};

struct native_relation {
	const char *name;
	const char *what;
};

extern const struct native_value call_columns[CALL_COLUMNS_END];
extern const struct native_value native_columns[NATIVE_COLUMNS_END];
extern const struct native_value run_figures[RUN_FIGURES_END];
extern const struct native_relation native_relations[RELATIONS_END];

/* Related rows have a common part: a collective operation and its calls. */
enum row_part { PART_ROW, PART_GROUP, ROW_PARTS };

enum recipe_kind {
	RECIPE_EVENT,    /* struct occurrence at `offset` */
	RECIPE_WORD,     /* 64 bits at `offset` */
	RECIPE_UNSIGNED, /* 32 bits */
	RECIPE_SIGNED,   /* 32 bits */
	RECIPE_BOOL,
	RECIPE_TEXT,     /* const char * */
	RECIPE_SERIAL,   /* number of the group */
	RECIPE_CALL,     /* column `call` of the event in column `event` */
	RECIPE_SENT,     /* bytes that `event` sends */
	RECIPE_MOVED,    /* or receives, if it sends none */
	RECIPE_ENVELOPE, /* `field` of the message that `event` sends */
	RECIPE_WILDCARD, /* whether `event` receives from any source */
	RECIPE_EAGER,    /* eager limit between the two processes of that message */
	RECIPE_ESTIMATE, /* estimated transfer time of a message between `event` and `other` */
};

enum envelope_field { ENVELOPE_COMM, ENVELOPE_SOURCE, ENVELOPE_DEST, ENVELOPE_TAG };

struct recipe {
	enum recipe_kind kind;
	enum row_part part;
	uint32_t offset;
	enum native_column event, other;
	enum call_column call;
	enum envelope_field field;
};

extern const struct recipe recipes[NATIVE_COLUMNS_END];

struct relation_info {
	uint32_t sizes[ROW_PARTS]; /* in bytes; 0: no groups */
	enum native_column
		at; /* the charged call, if a rule names none; NATIVE_COLUMNS_END: the row is a call */
};

extern const struct relation_info relation_infos[RELATIONS_END];

#endif
