/* How each relation of the model becomes columns: where a value stands in what the model tells, or what it is
 * calculated from. */
#ifndef TARRY_ANALYSIS_ENGINE_RELATION_H
#define TARRY_ANALYSIS_ENGINE_RELATION_H

#include "analysis/rules/native.h"

#include <stddef.h>
#include <stdint.h>

/* Rows of one relation that belong together come with what they have in common: a gathering and its participants. */
enum told { TOLD_ROW, TOLD_GROUP, TOLDS };

enum recipe_kind {
	RECIPE_EVENT,    /* struct occurrence at `offset` */
	RECIPE_WORD,     /* 64 bits at `offset` */
	RECIPE_UNSIGNED, /* 32 bits */
	RECIPE_SIGNED,   /* 32 bits */
	RECIPE_BOOL,
	RECIPE_TEXT,     /* const char * */
	RECIPE_SERIAL,   /* number of the group */
	RECIPE_CALL,     /* column `call` of the event in column `event` */
	RECIPE_BYTES,    /* of the message that `event` sends */
	RECIPE_ENVELOPE, /* `part` of that message's */
	RECIPE_WILDCARD, /* whether `event` receives from anybody */
	RECIPE_EAGER,    /* limit of that message's way */
	RECIPE_ESTIMATE, /* of the time that a message takes between `event` and `other` */
};

enum envelope_part { ENVELOPE_COMM, ENVELOPE_SOURCE, ENVELOPE_DEST, ENVELOPE_TAG };

struct recipe {
	enum recipe_kind kind;
	enum told told;
	uint32_t offset;
	enum native_column event, other;
	enum call_column call;
	enum envelope_part part;
};

extern const struct recipe recipes[NATIVE_COLUMNS_END];

/* The event that a call is itself, in relations of calls. */
extern const struct recipe call_recipe;

struct relation_info {
	const char *name;
	uint32_t sizes[TOLDS]; /* of what is told */
	enum native_column
		at; /* the call that is charged, if a rule names none; NATIVE_COLUMNS_END: the row is a call */
};

extern const struct relation_info relation_infos[RELATIONS_END];

/* Parts of a call that differ from one to the next. */
enum call_part {
	PART_FACTS,
	PART_START,
	PART_END,
	PART_POSITION,
	PART_WHERE, /* thread, and above it the phase */
	CALL_PARTS,
};

extern const uint32_t part_offsets[CALL_PARTS];

#endif
