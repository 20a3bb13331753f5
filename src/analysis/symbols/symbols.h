/* From call sites to source lines, with libdw, after the run and on any machine that has the program's files.
 *
 *	struct symbols *symbols = symbols_new();
 *	struct location where = symbols_find_call(symbols, process, event.call);
 *	location_describe(&where, &text);     "jacobi.c:42 exchange"
 *	symbols_free(symbols);
 *
 * If a file is missing, was rebuilt since or has no debug information, the location has less, and nothing wrong; a warning
 * says what to do. Locations are cached, and valid until symbols_free(). Several threads may look up calls at the same time. */
#ifndef TARRY_ANALYSIS_SYMBOLS_SYMBOLS_H
#define TARRY_ANALYSIS_SYMBOLS_SYMBOLS_H

#include "base/text.h"
#include "trace/reader.h"

struct location {
	const char *module;   /* base name of the file; NULL if nothing is known */
	uint64_t offset;      /* in the module */
	const char *function; /* NULL if not known */
	uint64_t function_offset;
	const char *inlined; /* the function that was inlined there, NULL if none was */
	const char *file;    /* as the compiler named it; NULL if not known */
	int line;
	/* The location is not the call itself but that of this function, which reached the call by a jump; or NULL. */
	const char *through;
	bool is_near; /* the line is that of something around the call */
	/* The call itself, if it is made in a layer of the program's own around MPI and this is where that was called; or NULL. */
	const struct location *inside_layer;
	/* Where its function was called, as far as the compiler tells: it was inlined there, or reached the call by a jump. NULL:
	 * not known. */
	const struct location *caller;
};

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/* Look for the program's files in this folder first, if they were moved or those that ran are stripped. */
void symbols_search(struct symbols *symbols, const char *folder);

/* Code of the program that makes calls for others. */
struct layer {
	const char *file;
	const char *function; /* NULL: all of the file */
};

/* Whether a place with a file is in it. */
bool layer_contains(const struct layer *layer, const struct location *where);

/* Calls that are made there are shown where the layer is called, as far as that was recorded. So are calls from a library without
 * lines. */
void symbols_add_layer(struct symbols *symbols, struct layer layer);
size_t symbols_layers(const struct symbols *symbols, const struct layer **layers);

/* The call site of a call, or where the layer around MPI was called that makes it. */
struct location symbols_find_call(struct symbols *symbols, const struct process *process,
                                  const struct call *call);

/* The call site itself. */
struct location symbols_find_site(struct symbols *symbols, const struct process *process,
                                  const struct call *call);
/* How many sites of the recorded path lie between: that is where a layer was called is the last of them. 0: the call is in no layer. */
uint32_t symbols_layer_steps(struct symbols *symbols, const struct process *process, const struct call *call);
/* Whether paths have only the nearest callers, which are not shown but where a layer was called. */
bool has_short_paths(const struct process *process);

/* For a call of this function outside of a trace; `offset` is a return address, and `module` may be NULL. Understands jumps and
 * Fortran's lines like symbols_find_call(). */
struct location symbols_find_callee(struct symbols *symbols, const struct module *module, uint64_t offset,
                                    const char *callee);

/* The callers of a call, from inside out: those that the compiler knows (inlined, or left by a jump), and with --callpath those on
 * the stack, each with what was inlined into it.
 *
 *	struct caller_iter callers = {0};
 *	while (symbols_next_caller(symbols, process, call, &callers))
 *		use(&callers.where); */
struct caller_iter {
	struct location where;
	const struct path *path; /* the rest */
	bool has_begun;
	bool of_short_paths; /* set it: also callers that are only recorded for the sake of layers */
};

bool symbols_next_caller(struct symbols *symbols, const struct process *process, const struct call *call,
                         struct caller_iter *callers);

/* The function whose source has the location, also if it was inlined; NULL: not known. */
const char *location_function(const struct location *where);

/* "file.c:42 function", "function+0x1c in app", "app+0x4f0", "app" or nothing. */
void location_describe(const struct location *where, struct text *out);

/* " through comm.c:33", the call in a layer; or nothing. */
void location_add_layer(const struct location *where, struct text *out);

/* Warns why a call has no line, even if it is in a library of the system. */
void symbols_warn_of(struct symbols *symbols, const struct process *process, const struct call *call);

/* A sentence for each module whose symbols are incomplete. Libraries of the system are left out. */
size_t symbols_warnings(const struct symbols *symbols, const char *const **warnings);

#endif
