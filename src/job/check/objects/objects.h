/* The lifetime of MPI objects for which the program has handles (requests: request_states.h). The kinds of a call's parameters define its
 * effects on objects: newX is created, X is used, oldX ends.
 *
 *	const struct checked_object *comm = object_find(OBJECT_COMM, handle);
 *	if (comm && comm->state == OBJECT_FREED)
 *		object_report_freed(call, parameter, comm);
 *
* Objects that are not in the table are unknown, not wrong: the agent may not have seen the call that created them (an attribute, a
 * non-standard function).
 *
* Objects never move, and their memory is never released, so pointers to them stay valid. Ended objects stay in the table until MPI reuses
 * their handle, or until there are too many. Tables are locked only under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_OBJECTS_OBJECTS_H
#define TARRY_JOB_CHECK_OBJECTS_OBJECTS_H

#include "job/check/objects/finding_draft.h"
#include "job/check/objects/limits.h"
#include "job/check/objects/object_kinds.h"
#include "job/check/objects/type_structures.h"
#include "job/check/wire/agent_call.h"
#include "job/mpi/host.h"

enum object_state {
	OBJECT_LIVE = 1,
	OBJECT_FREED,
	OBJECT_PREDEFINED, /* created by MPI, and lives as long as MPI */
};

/* MPI may return the same object several times (groups, error handlers). Each time adds a
 * reference that must be freed. */
struct object_reference {
	const void *variable; /* the variable that received the handle */
	enum call_id created_by;
	uint32_t created_at; /* place */
	struct object_reference *next;
};

struct announced_type;

/* The elements of a file's view. */
struct file_elements {
	int64_t bytes; /* 0: unknown */
	const char *name;
	struct announced_type *type; /* NULL: unknown */
};

/* The state of a file (files.c). */
struct file_state {
	int mode; /* MPI_MODE_… */
	struct file_elements elements;
	bool split; /* a split collective access is pending */
	enum call_id split_by;
	uint32_t split_at; /* place */
	const void *split_buffer;
};

struct checked_object {
	uint64_t handle;
	enum object_kind kind;
	enum object_state state;
	const char *name; /* of a predefined object: "MPI_COMM_WORLD"; otherwise NULL */
	bool committed;   /* of a datatype; predefined types are committed */
	bool unowned;     /* the program need not free it: MPI_Comm_get_parent, or created in a callback */
	bool is_named;    /* the program has named it, by MPI_Comm_set_name or MPI_Type_set_name */
	bool incomplete;  /* of MPI_Comm_idup: its request is not complete yet */
	bool queued;      /* of objects.c: in the queue of ended objects */
	struct object_reference reference; /* the last one */
	int32_t fortran;                   /* its Fortran handle, if Fortran created it */
	uint32_t references;               /* including `reference`; 0: freed or predefined */
	enum call_id freed_by;
	uint32_t freed_at;                /* place */
	const struct type_layout *layout; /* of a datatype, after its first use; held */
	struct type_structure structure;  /* of a datatype */
	struct object_limits limits;      /* unknown when the object is created */
	struct file_state file;
};

/* Enters predefined objects; before the first call. */
void objects_start(void);

/* NULL: unknown. Also finds freed and predefined objects. */
struct checked_object *object_find_slowly(enum object_kind kind, uint64_t handle);

/* Finds a freed object that Fortran created, by its Fortran handle: MPI may not have a C handle for it. */
struct checked_object *object_find_freed(enum object_kind kind, int32_t fortran);

enum { OBJECT_CACHE = 64 };
#define OBJECT_SLOT(handle) (((handle) ^ (handle) >> 6 ^ (handle) >> 12) % OBJECT_CACHE)
extern HIDDEN struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];

static inline struct checked_object *object_find(enum object_kind kind, uint64_t handle)
{
	struct checked_object **cached = &object_cache[kind][OBJECT_SLOT(handle)];
	struct checked_object *object = __atomic_load_n(cached, __ATOMIC_ACQUIRE);

	if (__builtin_expect(object && __atomic_load_n(&object->handle, __ATOMIC_RELAXED) == handle, 1))
		return object;
	return object_find_slowly(kind, handle);
}

/* Adds the call that created the object. */
static inline void object_draft_created(struct finding_draft *draft, const struct checked_object *object)
{
	finding_draft_call(draft, object->reference.created_by, object->reference.created_at, NOTE_CREATED);
}

/* True if it is certainly not a handle of this kind, such as MPI_INT for a communicator. */
bool handle_is_invalid(enum object_kind kind, uint64_t handle);

/* "MPI_COMM_WORLD", "made by MPI_Comm_split" */
enum { VALUE_TEXT = 64 };
const char *object_text(const struct checked_object *object, char text[VALUE_TEXT]);

/* argument.freed-handle: a parameter of this call is a handle of an object that has ended. */
void object_report_freed(struct agent_call *call, uint32_t parameter, const struct checked_object *object);

/* Before a call: reports argument.predefined-freed, and ends objects. After it: enters created objects. Nested
 * calls (agent_call.nested) only change the table. Calls without effects on objects (object_effects) do not
 * need these functions. */
void objects_before(struct agent_call *call);
void objects_after(struct agent_call *call, int rc);

/* The effects of a call on objects: enum object_effect of all its parameters, and these for
 * MPI_Type_get_contents and for functions that name objects. */
enum { EFFECT_UNPACKS_TYPE = 8, EFFECT_NAMES = 16 };
uint32_t object_effects(enum call_id id);

/* The table itself: adds a reference to an object, which is entered if it is new. NULL: out of memory. */
struct checked_object *object_refer(enum object_kind kind, uint64_t handle,
                                    const struct object_reference *reference);
/* Removes a reference; the object ends with the last one. If the call then fails, the object lives again;
 * otherwise its facts are released. */
void object_end(struct checked_object *object, const void *variable, enum call_id freed_by,
                uint32_t freed_at);
void object_revive(struct checked_object *object, const void *variable);
void object_release_facts(struct checked_object *object);
/* The number of live objects. */
uint32_t object_count(enum object_kind kind);
/* Reads the user's limits; before the first call. */
void object_limits_start(void);
/* limit.objects, once for each kind. */
void object_check_limit(const struct agent_call *call, enum object_kind kind, uint32_t count);

/* Iterates over all live objects. */
bool object_next(uint32_t *position, struct checked_object **object);

#endif
