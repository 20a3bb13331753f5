/* Calls, types and communicators: defined once, and then referred to by number. The calling threads create
 * and number them (unsent_events.h), and the service sends them to the analyser of the node. They do not
 * change after an event in the ring has referred to them. Unused ones are freed when all numbers are forgotten. */
#ifndef TARRY_JOB_CHECK_WIRE_ANNOUNCED_H
#define TARRY_JOB_CHECK_WIRE_ANNOUNCED_H

#include "check/protocol/messages.h"

#include <stdlib.h>

/* Limits of numbers. There are more numbers of calls than places in the table (call_table.c), because calls of pending requests stay. */
enum { NUMBERED_CALLS_MAX = 65536, NUMBERED_TYPES_MAX = 8192 };

/* The position of its definition (unsent_events.h). */
struct unsent_frame {
	uint32_t at, size;
};

/* A datatype; its parts are in the order of its signature. */
struct announced_type {
	struct announced_type *next; /* in the table of types */
	uint64_t hash;
	uint32_t refs;   /* references: datatypes, types that contain it, and calls */
	uint32_t number; /* 0: none yet */
	struct unsent_frame frame;
	uint32_t basic; /* enum basic_type; 0: it has parts */
	uint32_t bytes; /* of a basic type */
	uint32_t part_count;
	struct announced_type_part {
		struct announced_type *type;
		uint64_t times;
	} parts[];
};

struct announced_comm {
	struct announced_comm *next; /* in the list of unused ones */
	uint32_t refs;               /* references: its handle and calls */
	uint32_t epoch;              /* of numbers, when its definition was written */
	struct unsent_frame frame;
	bool is_pushed; /* its definition is in the ring */
	bool is_sent;   /* set by the service: the analyser knows it */
	/* Analysers do not know the order in which its calls match, so the data of its messages and
	 * broadcasts is not compared. */
	bool is_uncompared;
	struct checked_comm comm;
};

/* The content of a message as a hash (message_contents.h). */
struct message_content {
	uint64_t bytes;
	uint64_t hash; /* 0: unknown */
};

struct announced_data {
	struct announced_type *type; /* NULL: no data */
	uint64_t count;
};

struct announced_call {
	struct announced_call *next; /* in the table of calls, or in the list of unused ones */
	uint64_t hash;
	uint32_t pins;   /* requests that refer to it */
	uint32_t number; /* 0: none yet */
	struct unsent_frame frame;
	uint32_t place;
	struct announced_comm *comm; /* NULL: a wait */
	/* The call as it is sent, except for numbers of types, the stack, and the lists below. */
	struct distinct_check_call call;
	struct announced_data send, receive;
	struct announced_data *send_list, *receive_list; /* as long as the lists of `call` */
	uint32_t key_words;
	int64_t key[];
};

#endif
