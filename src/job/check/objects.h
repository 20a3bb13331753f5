/* The life of every MPI object that a program holds a handle of (requests apart: request_states.h). What a call does to objects
 * follows from the kinds of its parameters: newX comes into being, X is used, oldX ends.
 *
 *	const struct checked_object *comm = object_find(OBJECT_COMM, handle);
 *	if (comm && comm->state == OBJECT_FREED)
 *		object_report_freed(call, parameter, comm);
 *
 * Of an object that is not in the table nothing is known: it may have come from MPI in a way that nobody saw (an attribute, a function that
 * is no part of the standard). That is never an error.
 *
 * Objects never move and their memory is never given back, so that a pointer may be kept. Ended objects stay in the
 * table until MPI gives their handle to another one, or until there are too many of them. Tables are locked with MPI_THREAD_MULTIPLE
 * only. */
#ifndef TARRY_JOB_CHECK_OBJECTS_H
#define TARRY_JOB_CHECK_OBJECTS_H

#include "job/check/agent.h"
#include "job/check/limits.h"

#include <stddef.h>

enum object_kind {
	OBJECT_NONE,
	OBJECT_COMM,
	OBJECT_TYPE,
	OBJECT_GROUP,
	OBJECT_WIN,
	OBJECT_OP,
	OBJECT_INFO,
	OBJECT_FILE,
	OBJECT_ERRHANDLER,
	OBJECT_KEYVAL,
	OBJECT_SESSION,
	OBJECT_MESSAGE,
	OBJECT_REQUEST, /* in request_states.h: never found here */
	OBJECT_KINDS
};

enum object_state {
	OBJECT_LIVE = 1,
	OBJECT_FREED,
	OBJECT_PREDEFINED, /* MPI's own: lives as long as MPI */
};

/* MPI may hand out one object several times (groups, error handlers): each time is a reference that has to be given back. */
struct object_reference {
	const void *variable; /* where the handle was put */
	enum call_id created_by;
	uint32_t created_at; /* place */
	struct object_reference *next;
};

struct checked_object {
	uint64_t handle;
	enum object_kind kind;
	enum object_state state;
	bool committed; /* of a datatype; predefined ones are */
	bool unowned; /* the program need not free it: MPI_Comm_get_parent, made in a callback by MPI's wish */
	bool incomplete;                   /* MPI_Comm_idup: its request is not complete yet */
	struct object_reference reference; /* the last one */
	uint32_t references;               /* with that; 0: freed or predefined */
	enum call_id freed_by;
	uint32_t freed_at; /* place */
	/* What others keep of it: the communicator's facts, the datatype's signature (events), the file's state (files.c). Let go of by
	 * object_facts_release when the object ends. */
	void *facts;
	struct object_limits limits; /* unknown when the object comes into being */
};

#pragma GCC visibility push(hidden)

/* MPI_Init has returned: predefined objects are entered. */
void objects_start(void);
/* MPI_THREAD_MULTIPLE: tables are locked from now on. To be called before a second thread can call MPI. */
void objects_share(void);

/* NULL: unknown. Also finds those that are freed or predefined. */
struct checked_object *object_find_slowly(enum object_kind kind, uint64_t handle);

enum { OBJECT_CACHE = 64 };
extern struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];

static inline struct checked_object *object_find(enum object_kind kind, uint64_t handle)
{
	struct checked_object **cached =
		&object_cache[kind][(handle ^ handle >> 6 ^ handle >> 12) % OBJECT_CACHE];
	struct checked_object *object = __atomic_load_n(cached, __ATOMIC_RELAXED);

	if (__builtin_expect(object && __atomic_load_n(&object->handle, __ATOMIC_RELAXED) == handle, 1))
		return object;
	return object_find_slowly(kind, handle);
}

/* What kind of object a parameter of this kind is a handle of, OBJECT_NONE if of none: KIND_comm, KIND_newcomm, KIND_stypes … */
enum object_kind object_kind_of(enum parameter_kind kind);
const char *object_kind_name(enum object_kind kind); /* "communicator" */
bool handle_is_null(enum object_kind kind, uint64_t handle);
/* Certainly no handle of this kind, as MPI_INT for a communicator. */
bool handle_is_invalid(enum object_kind kind, uint64_t handle);

/* The handle that a variable or an element of an array holds, in C or Fortran. */
uint64_t handle_at(enum object_kind kind, const void *array, size_t index, bool fortran);

/* argument.freed-handle: a parameter of this call is a handle of an object that has ended. */
void object_report_freed(struct agent_call *call, uint32_t parameter, const struct checked_object *object);

/* Around each call, also nested ones (agent_call.nested), which only change the table. */
void objects_before(struct agent_call *call);
void objects_after(struct agent_call *call, int rc);

/* All that are live, in the order of their creation as far as the table knows it. */
bool object_next(uint32_t *position, struct checked_object **object);

/* By events: what was kept of an object that ended. */
void object_facts_release(enum object_kind kind, void *facts);

#pragma GCC visibility pop

#endif
