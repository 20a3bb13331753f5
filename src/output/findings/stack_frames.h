/* The stack of a call as source lines: what was inlined has a frame of its own, and what starts the program (below main) has none. */
#ifndef TARRY_OUTPUT_FINDINGS_STACK_FRAMES_H
#define TARRY_OUTPUT_FINDINGS_STACK_FRAMES_H

#include "analysis/symbols/symbols.h"
#include "check/protocol/finding.h"

struct stack_frame {
	const char *function; /* short; NULL: not known */
	const char *file;     /* as the compiler named it; NULL: not known */
	int line;             /* 0: not known */
	bool is_near;         /* the line is that of something around the call */
	const char *module;   /* base name of the file of the program; NULL: not known */
	uint64_t offset;      /* in it */
};

struct stack_frames {
	struct stack_frame *items; /* innermost first */
	size_t count;
};

/* In the arena. */
struct stack_frames stack_frames_of(struct symbols *symbols, const struct check_call *call,
                                    struct arena *arena);

/* "heat.c:42 (exchange)", "exchange in app", "app+0x4f0"; nothing if nothing is known. */
void stack_frame_describe(const struct stack_frame *frame, struct text *out);

#endif
