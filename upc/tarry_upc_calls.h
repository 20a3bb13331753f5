/* The interface between tarry_upc.upc, which the user's UPC compiler compiles, and libtarry-gasp.a. It has
 * only types that are the same for every compiler, and no variables: under Berkeley UPC with pthreads each
 * thread would have its own. */
#ifndef TARRY_UPC_CALLS_H
#define TARRY_UPC_CALLS_H

/* Calls that no runtime reports, and that are therefore wrapped. */
enum tarry_upc_wrapped {
	TARRY_UPC_FENCE,
	TARRY_UPC_ATOMIC,
	TARRY_UPC_BROADCAST,
	TARRY_UPC_SCATTER,
	TARRY_UPC_GATHER,
	TARRY_UPC_GATHER_ALL,
	TARRY_UPC_EXCHANGE,
	TARRY_UPC_PERMUTE,
	TARRY_UPC_REDUCE,
	TARRY_UPC_PREFIX_REDUCE
};

/* Defined in libtarry-gasp.a. */

/* Whether this UPC thread is recorded, and the recorder is not inside one of the functions below. */
extern int tarry_upc_recording(void);
/* The user's place of the next wrapped call. */
extern void tarry_upc_at(const char *file, int line);
/* `name` is the function's name if one event stands for several functions; otherwise 0. */
extern void tarry_upc_start(int wrapped, const char *name);
/* Threads are -1 if a call has none. `bytes` is the size of an element if `elements` are given. */
extern void tarry_upc_end(int wrapped, int root, int source, int operation, unsigned flags,
                          unsigned long bytes, unsigned long elements, unsigned long block);
extern void tarry_upc_fence_start(const char *file, int line);
extern void tarry_upc_fence_end(void);
/* An atomic operation on this thread's memory starts. Its kind may be reported before or after that. */
extern void tarry_upc_atomic_start(const char *name, int target);
extern void tarry_upc_atomic_does(int operation);
extern void tarry_upc_atomic_end(void);

/* Defined in tarry_upc.upc. A pointer-to-shared is passed as a pointer to it. */

extern const char *tarry_upc_implementation(void);
extern unsigned tarry_upc_gasp_version(void);
extern unsigned tarry_upc_user_first(void);
extern unsigned tarry_upc_user_last(void);
/* The next event of the implementation: its number, and its name in UPC_EVENTS of upc_link.h. 0: none. */
extern int tarry_upc_number(int index, unsigned *tag, const char **event);
extern int tarry_upc_my_thread(void);
extern int tarry_upc_threads(void);
extern int tarry_upc_thread_of(const void *pointer);
extern unsigned long tarry_upc_address_of(const void *pointer);
/* With the numbers of UPC 1.3, with both parts. */
extern unsigned tarry_upc_flags(int flags);
/* With the numbers of the trace; -1: unknown. */
extern int tarry_upc_operation(int operation);

#endif
