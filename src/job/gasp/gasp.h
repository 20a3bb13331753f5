/* libtarry-gasp.a: the GASP callbacks for UPC runtimes, linked into the user's program. It finds the recorder and forwards all
 * events; without a recorder it does nothing. All logic is in the recorder (base/upc_link.h), so programs seldom need to be
 * relinked. Global names begin with tarry_upc_ or gasp_, because they share the user's name space. */
#ifndef TARRY_JOB_GASP_GASP_H
#define TARRY_JOB_GASP_GASP_H

#include "base/upc_link.h"

#include <stdbool.h>

/* GASP's context: one per UPC thread, which is a process or a pthread. */
struct tarry_upc_thread {
	const struct upc_recorder *recorder;
	void *recorded;          /* the recorder's data of this thread; NULL: not recorded */
	bool is_busy;            /* the recorder is active: ignore events of its up-calls */
	bool is_on;              /* last value of pupc_control() */
	struct upc_place place;  /* of the next wrapped call */
	const char *atomic_name; /* of the current atomic operation */
	int atomic_target, atomic_operation;
};

/* Of the calling UPC thread. */
extern __thread struct tarry_upc_thread tarry_upc_self;

/* The dialect as the program's own compiler sees it. The same for all threads. */
const struct upc_dialect *tarry_upc_dialect(void);

/* Stores their addresses (passages.c) and returns their number. */
size_t tarry_upc_passages(uint64_t addresses[UPC_PASSAGES]);

/* Of the recorder of this process; NULL: none, or none that supports this program. */
const struct upc_recorder *tarry_upc_find_recorder(void);

/* The five GASP functions, as declared in every <gasp.h>. */
#define TARRY_GASP_API __attribute__((visibility("default")))

TARRY_GASP_API struct tarry_upc_thread *gasp_init(int model, int *argc, char ***argv);
TARRY_GASP_API void gasp_event_notify(struct tarry_upc_thread *context, unsigned tag, int type,
                                      const char *file, int line, int column, ...);
TARRY_GASP_API void gasp_event_notifyVA(struct tarry_upc_thread *context, unsigned tag, int type,
                                        const char *file, int line, int column, va_list arguments);
TARRY_GASP_API int gasp_control(struct tarry_upc_thread *context, int on);
TARRY_GASP_API unsigned gasp_create_event(struct tarry_upc_thread *context, const char *name,
                                          const char *description);

#endif
