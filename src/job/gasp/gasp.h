/* libtarry-gasp.a: what a UPC runtime wants of a tool, inside the user's program. It finds the recorder and hands everything on;
 * without one it does nothing. All thinking is done in the recorder (base/upc_link.h), so this seldom changes: programs
 * need not be linked anew for it. Global names begin with tarry_upc_ or gasp_, for they live among the user's. */
#ifndef TARRY_JOB_GASP_GASP_H
#define TARRY_JOB_GASP_GASP_H

#include "base/upc_link.h"

#include <stdbool.h>

/* GASP's context: of one UPC thread, whether that is a process or a pthread. */
struct tarry_upc_thread {
	const struct upc_recorder *recorder;
	void *recorded;          /* what the recorder made of this thread; NULL: nothing is recorded */
	bool is_busy;            /* the recorder is at work: events that its up-calls raise are nobody's */
	bool is_on;              /* what the user last said by pupc_control() */
	struct upc_place place;  /* of the wrapped call that comes next */
	const char *atomic_name; /* of the atomic operation that is under way */
	int atomic_target, atomic_operation;
};

/* Of the calling UPC thread. */
extern __thread struct tarry_upc_thread tarry_upc_self;

/* As the program's own compiler has made it. The same for all threads. */
const struct upc_dialect *tarry_upc_dialect(void);

/* How many of them there are. */
size_t tarry_upc_passages(uint64_t addresses[UPC_PASSAGES]);

/* Of whoever records this process; NULL: nobody, or nobody who would understand this program. */
const struct upc_recorder *tarry_upc_find_recorder(void);

/* GASP's five, as <gasp.h> of every implementation has them. */
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
