/* Findings that the user knows and does not want to see: lines of a file,
 *
 *	# MPI_Comm_dup of the library: its authors know
 *	leak.communicator   libfft.c:120
 *	leak.*              fft_*          a function anywhere on the stack of one of the calls
 *	end.abort                          wherever it is
 *
 * A check is an id or a pattern of the shell. A place is FILE:LINE, FILE or the name of a function, each as such a pattern; a
 * FILE without a folder is one of that name in any folder. */
#ifndef TARRY_OUTPUT_FINDINGS_SUPPRESSIONS_H
#define TARRY_OUTPUT_FINDINGS_SUPPRESSIONS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/status.h"
#include "output/findings/stack_frames.h"

struct suppression {
	const char *file; /* where it stands */
	unsigned line;
	const char *check;
	const char *place; /* NULL: any */
	uint64_t used;     /* findings that it hid */
};

struct suppressions {
	struct arena arena;
	ARRAY(struct suppression) list;
};

/* Adds those of a file. Fails with the line that is wrong: also if it names no check that there is. */
enum status suppressions_read(struct suppressions *list, const char *path) MUST_CHECK;
void suppressions_release(struct suppressions *list);

/* Does it name this check, and one of these frames? */
bool suppression_names(const struct suppression *line, const char *check, const struct stack_frames *stacks,
                       size_t count);

#endif
