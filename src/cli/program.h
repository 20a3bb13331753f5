/* What can be told about a program without running it: with which MPI it is linked, or whether it is one in UPC. Used to explain why
 * nothing was recorded, never to decide how to record. */
#ifndef TARRY_CLI_PROGRAM_H
#define TARRY_CLI_PROGRAM_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

enum program_kind {
	PROGRAM_OPAQUE, /* a script, an interpreter, something that loads libraries as it goes */
	PROGRAM_WITHOUT_MPI,
	PROGRAM_STATIC,        /* statically linked altogether: nothing can be loaded into it */
	PROGRAM_STATIC_MPI,    /* MPI is linked in */
	PROGRAM_WITH_RECORDER, /* and Tarry's recorder too */
	PROGRAM_WITH_MPI,
	PROGRAM_UPC,       /* compiled with 'tarry upcc' */
	PROGRAM_UPC_ALONE, /* and not so */
};

struct program {
	enum program_kind kind;
	const char *library; /* of PROGRAM_WITH_MPI: the library that it needs, "libmpi.so.40" */
	const char
		*mpi; /* of both kinds with MPI: "openmpi", "mpich"; NULL: an MPI that Tarry does not know */
};

/* Where a shell would find it; fails with the reason why it cannot be run. */
enum status program_find(const char *name, struct arena *arena, const char **path) MUST_CHECK;

/* Says on stderr why program_find() failed. Returns the exit code that a shell would. */
int program_refused(const char *name);

/* `path` as from program_find(). What cannot be read is opaque. */
struct program program_inspect(const char *path, struct arena *arena);

/* One sentence that says why nothing can be recorded of this program and what to do; NULL if it can, or if
 * that cannot be told. `name` is the program as the user wrote it, `libraries` the folder of the
 * installation. */
const char *program_obstacle(const struct program *program, const char *name, const char *libraries,
                             struct arena *arena);

/* The same for a program that has run, or should have, and left nothing: a sentence in any case. `name` may be NULL: not known. `code` is the
 * job's exit code. */
const char *program_absence(const char *name, int code, const char *libraries, struct arena *arena);

/* Another program's output.
 *
 *	struct text output = {0};
 *	if (capture_output("/usr/bin/mpirun", words, NULL, &output) == 0) … */
enum { OUTPUT_MAX = 1 << 20 };

/* Adds its output, of both streams, to `answer`. As soon as `word` (NULL: none) is in there the program is told to end, and
 * neither its end nor more words are waited for. Returns its exit code, 0 if that was not waited for; -1: it could not be started, or
 * was ended by a signal. */
int capture_output(const char *path, const char *const *words, const char *word, struct text *answer);

#endif
