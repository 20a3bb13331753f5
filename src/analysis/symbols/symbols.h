/* Maps call sites to source lines, with libdw, after the run and on any machine with the program's files.
 *
 *	struct symbols *symbols = symbols_new();
 *	struct location where = symbols_find_call(symbols, process, event.call);
 *	location_describe(&where, &text);     "jacobi.c:42 exchange"
 *	symbols_free(symbols);
 *
 * If a file is missing, was rebuilt since or has no debug information, the location is incomplete, but never
 * wrong; a warning says what to do. Locations are cached, and valid until symbols_free(). Several threads may
 * look up calls at the same time. */
#ifndef TARRY_ANALYSIS_SYMBOLS_SYMBOLS_H
#define TARRY_ANALYSIS_SYMBOLS_SYMBOLS_H

#include "base/text.h"
#include "trace/reader.h"

struct location {
	const char *module;   /* base name of the file; NULL: unknown */
	uint64_t offset;      /* in the module */
	const char *function; /* NULL: unknown */
	bool in_region;       /* in the function that the compiler made of an OpenMP region of `function` */
	uint64_t function_offset;
	const char *inlined; /* the function inlined there; NULL: none */
	const char *file;    /* as named by the compiler; NULL: unknown */
	int line;
	/* The location is not the call itself but that of this function, which reached the
	 * call by a jump; or NULL. */
	const char *through;
	bool is_near; /* the line is that of an enclosing construct */
	/* The call itself, if it is in a wrapper of the program around MPI and this is the
	 * wrapper's caller; or NULL. */
	const struct location *inside_layer;
	/* The caller of its function, as far as the compiler provides it: the function was inlined, or
	 * reached the call by a jump. NULL: unknown. */
	const struct location *caller;
};

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/* Search for the program's files in this folder first, if they were moved, or stripped. */
void symbols_search(struct symbols *symbols, const char *folder);

/* Code of the program that makes calls for others. */
struct layer {
	const char *file;
	const char *function; /* NULL: the whole file */
};

/* True if a place with a file is in it. */
bool layer_contains(const struct layer *layer, const struct location *where);

/* Calls in this code are shown at the wrapper's caller, if it was recorded. So are calls from a
 * library without lines. */
void symbols_add_layer(struct symbols *symbols, struct layer layer);
size_t symbols_layers(const struct symbols *symbols, const struct layer **layers);

/* The call site of a call, or the caller of the wrapper that makes it. */
struct location symbols_find_call(struct symbols *symbols, const struct process *process,
                                  const struct call *call);

/* The call site itself. */
struct location symbols_find_site(struct symbols *symbols, const struct process *process,
                                  const struct call *call);
/* The number of sites of the recorded path up to the caller of a wrapper. 0: the call is not in a wrapper. */
uint32_t symbols_layer_steps(struct symbols *symbols, const struct process *process, const struct call *call);
/* True if paths have only the nearest callers, which are shown only for wrappers. */
bool has_short_paths(const struct process *process);

/* For a call of this function outside a trace; `offset` is a return address, and `module` may be NULL.
 * Handles jumps and Fortran lines like symbols_find_call(). */
struct location symbols_find_callee(struct symbols *symbols, const struct module *module, uint64_t offset,
                                    const char *callee);

/* The callers of a call, from the inside out: those known to the compiler (inlined, or left by a jump), and
 * with --callpath those on the stack, each with its inlined functions.
 *
 *	struct caller_iter callers = {0};
 *	while (symbols_next_caller(symbols, process, call, &callers))
 *		use(&callers.where); */
struct caller_iter {
	struct location where;
	const struct path *path; /* the rest */
	bool has_begun;
	bool of_short_paths; /* set it to include callers recorded only for wrappers */
};

bool symbols_next_caller(struct symbols *symbols, const struct process *process, const struct call *call,
                         struct caller_iter *callers);

/* The name in the source: compilers create functions for OpenMP regions ("step._omp_fn.0", "step.0._omp_fn.1", ".omp_outlined..1"). */
const char *function_in_source(const char *function, struct arena *arena);

/* The function whose source contains the location, even if it was inlined; NULL: unknown. */
const char *location_function(const struct location *where);

/* "file.c:42 function", "function+0x1c in app", "app+0x4f0", "app" or nothing. */
void location_describe(const struct location *where, struct text *out);

/* " through comm.c:33", the call in a wrapper; or nothing. */
void location_add_layer(const struct location *where, struct text *out);

/* Warns why a call has no line, even if it is in a library of the system. */
void symbols_warn_of(struct symbols *symbols, const struct process *process, const struct call *call);

/* A sentence for each module with incomplete symbols. Libraries of the system are omitted. */
size_t symbols_warnings(const struct symbols *symbols, const char *const **warnings);

#endif
