/* The interface between a UPC program and the recorder. GASP implementations differ in event numbers, flags
 * and pointers-to-shared, which only the program's compiler understands. So the program contains a *dialect*,
 * compiled by that compiler from tarry_upc.upc, and a few functions (libtarry-gasp.a) that forward
 * everything. All logic is in the recorder, which may be newer or older than the program: hence the version.
 * This file needs only the C library.
 *
 *	const struct upc_recorder *recorder = tarry_upc_recorder(UPC_LINK_VERSION);
 *	void *thread = recorder ? recorder->begin(&dialect) : NULL;      once, by each UPC thread
 *	if (thread)
 *		recorder->notify(thread, evttag, evttype, (struct upc_place){filename, linenum}, &arguments);
 *
 * Every change of this file must change UPC_LINK_VERSION. */
#ifndef TARRY_BASE_UPC_LINK_H
#define TARRY_BASE_UPC_LINK_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { UPC_LINK_VERSION = 3 };

/* The maximum number of runtime functions that are skipped in call stacks. */
enum { UPC_PASSAGES = 32 };

/* All events. X(name of the event, arguments at the start, additional arguments at the end): one letter per
 * argument, as GASP passes it.
 *	I int   z size_t   p void *   s const char *
 *	P pointer to a pointer-to-shared (D where it is written to, S where it is read from)
 *	K pointer to a lock   H handle of a non-blocking operation
 *	F synchronisation flags   O operation   R type of the elements of a reduction
 * Events that GASP lacks, or that no runtime delivers, come from our own wrappers with struct upc_values. */
#define UPC_EVENTS(X) \
	X(UNKNOWN, "", "") \
	X(USER, "", "") \
	X(C_FUNC, "s", "") \
	X(C_MALLOC, "z", "p") \
	X(C_REALLOC, "pz", "p") \
	X(C_FREE, "p", "") \
	X(COLLECTIVE_EXIT, "I", "") \
	X(NONCOLLECTIVE_EXIT, "I", "") \
	X(NOTIFY, "II", "") \
	X(WAIT, "II", "") \
	X(BARRIER, "II", "") \
	X(FENCE, "", "") \
	X(FORALL, "", "") \
	X(GLOBAL_ALLOC, "zz", "P") \
	X(ALL_ALLOC, "zz", "P") \
	X(ALLOC, "z", "P") \
	X(FREE, "P", "") \
	X(ALL_FREE, "P", "") \
	X(GLOBAL_LOCK_ALLOC, "", "K") \
	X(ALL_LOCK_ALLOC, "", "K") \
	X(LOCK_FREE, "K", "") \
	X(LOCK, "K", "") \
	X(LOCK_ATTEMPT, "K", "I") \
	X(UNLOCK, "K", "") \
	X(MEMCPY, "DSz", "") \
	X(MEMGET, "pSz", "") \
	X(MEMPUT, "Dpz", "") \
	X(MEMSET, "DIz", "") \
	X(GET, "IpSz", "") \
	X(PUT, "IDpz", "") \
	X(NB_GET_INIT, "IpSz", "H") \
	X(NB_PUT_INIT, "IDpz", "H") \
	X(NB_GET_DATA, "H", "") \
	X(NB_PUT_DATA, "H", "") \
	X(NB_SYNC, "H", "") \
	X(NB_TRYSYNC, "H", "I") \
	X(NB_MEMGET_INIT, "pSz", "H") \
	X(NB_MEMPUT_INIT, "Dpz", "H") \
	X(NB_MEMCPY_INIT, "DSz", "H") \
	X(CACHE_MISS, "zz", "") \
	X(CACHE_HIT, "z", "") \
	X(CACHE_INVALIDATE, "z", "") \
	X(STATIC_SHARED, "zzPpzss", "") \
	X(ALL_BROADCAST, "DSzF", "") \
	X(ALL_SCATTER, "DSzF", "") \
	X(ALL_GATHER, "DSzF", "") \
	X(ALL_GATHER_ALL, "DSzF", "") \
	X(ALL_EXCHANGE, "DSzF", "") \
	X(ALL_PERMUTE, "DSPzF", "") \
	X(ALL_REDUCE, "DSOzzpFR", "") \
	X(ALL_PREFIX_REDUCE, "DSOzzpFR", "") \
	X(ATOMIC, "", "")

#define UPC_EVENT_NUMBER(name, at_start, at_end) UPC_EVENT_##name,
enum upc_event { UPC_EVENTS(UPC_EVENT_NUMBER) UPC_EVENT_COUNT };
#undef UPC_EVENT_NUMBER

/* GASP's gasp_evttype_t, the same everywhere. */
enum upc_event_type { UPC_START, UPC_END, UPC_ATOMIC };

/* The meaning of an implementation's event number. */
struct upc_number {
	unsigned tag;
	uint32_t event; /* enum upc_event */
};

/* Pointers-to-shared and locks are always passed by address. */
struct upc_dialect {
	uint32_t version;               /* UPC_LINK_VERSION */
	const char *implementation;     /* "berkeley", "gupc": of the headers used to compile it */
	uint32_t gasp_upc_version;      /* GASP_UPC_VERSION of those headers */
	uint32_t user_first, user_last; /* the range of numbers for the user's events */
	const struct upc_number *numbers;
	size_t number_count;
	int (*my_thread)(void);
	int (*threads)(void);
	int (*thread_of)(const void *pointer);
	uint64_t (*address_of)(
		const void *pointer); /* together with thread_of: identifies an object on all threads */
	uint32_t (*sync)(int flags);  /* as UPC 1.3: IN_ALLSYNC 1, MY 2, NO 4, OUT_ALLSYNC 8, MY 16, NO 32 */
	int (*operation)(int op);     /* as the trace's field `op`; -1: unknown */
	/* Addresses of runtime functions between the program's store and its event, for events
	 * without file and line. */
	const uint64_t *passages;
	size_t passage_count;
};

/* file may be NULL, line 0. Read only during the call. */
struct upc_place {
	const char *file;
	int line;
};

/* Arguments of an event. A va_list may be an array, which cannot be passed on by value; where it is not,
 * passing its address avoids copies. */
struct upc_arguments {
	va_list list;
};

/* Decoded arguments from our own wrappers. The values given at the end count; at the start they may be NULL.
 * Absent values are as in UPC_NO_VALUES. */
struct upc_values {
	const char
		*name;  /* of the called function, if one event represents several; NULL: the event's name */
	int32_t target; /* the thread written to, or the target of an atomic operation or a lock */
	int32_t source; /* the thread read from; of a reduction: the thread of the first element */
	int32_t root;   /* of a broadcast or scatter: the thread of src; of a gather or reduction: of dst */
	int32_t op;     /* as the trace's field `op` */
	int32_t flag;   /* the result of an attempt */
	uint32_t sync;  /* both parts, as UPC 1.3 */
	uint64_t bytes; /* as in the prototype (nbytes); of a reduction: of one element */
	uint64_t elements, block; /* of a reduction, as in the prototype */
	uint64_t handle; /* of a non-blocking operation that begins or completes; 0: complete at once */
};

enum { UPC_NOBODY = -1, UPC_NO_OPERATION = -1, UPC_NO_FLAG = -1 };
#define UPC_NO_VALUES \
	{ \
		.target = UPC_NOBODY, .source = UPC_NOBODY, .root = UPC_NOBODY, .op = UPC_NO_OPERATION, \
		.flag = UPC_NO_FLAG \
	}

/* The functions of a recorder. `thread` is the result of `begin` in the calling UPC thread. */
struct upc_recorder {
	uint32_t version;
	/* Begins this UPC thread; NULL: it is not recorded. */
	void *(*begin)(const struct upc_dialect *dialect);
	/* An event from GASP: the implementation's number and the arguments, which are consumed. */
	void (*notify)(void *thread, unsigned tag, int type, struct upc_place at,
	               struct upc_arguments *arguments);
	/* An event from our own wrappers: `event` is an enum upc_event. */
	void (*wrapped)(void *thread, uint32_t event, int type, struct upc_place at,
	                const struct upc_values *values);
	/* Returns the old value. */
	int (*control)(void *thread, int on);
	unsigned (*create_event)(void *thread, const char *name, const char *description);
};

/* Exported by every recorder, and by libtarry-preload.so, which forwards to the right recorder. NULL:
 * nothing is recorded. */
#define UPC_RECORDER_SYMBOL "tarry_upc_recorder"
const struct upc_recorder *tarry_upc_recorder(uint32_t version);

/* Exported by libtarry-preload.so for a program that cannot be recorded: adds a note for
 * `tarry run` to show. */
#define UPC_NOTE_SYMBOL "tarry_upc_note"
void tarry_upc_note(const char *sentence);

#endif
