#include "output/findings/findings.h"

#include "base/hex.h"
#include "base/paths.h"
#include "calls/calls.h"
#include "output/findings/words.h"

#include <inttypes.h>
#include <string.h>

enum { BUILD_ID_BYTES_MAX = 64 };

struct place_module {
	struct module module;
	uint8_t build_id[BUILD_ID_BYTES_MAX];
};

static void describe_module(const struct check_place *place, struct place_module *made)
{
	size_t size = 0;

	*made = (struct place_module){.module = {.path = place->module}};
	for (const char *at = place->build_id; size < BUILD_ID_BYTES_MAX; at += 2, size++) {
		int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
		if (low < 0)
			break;
		made->build_id[size] = (uint8_t)(high << 4 | low);
	}
	made->module.build_id = made->build_id;
	made->module.build_id_size = size;
	if (place->line)
		made->module.function = "";
}

static struct location find_place(struct symbols *symbols, const struct check_place *place,
                                  const char *callee)
{
	struct place_module known;

	describe_module(place, &known);
	return symbols_find_callee(symbols, &known.module, place->line ? place->line : place->offset, callee);
}

static struct stack_frame frame_of(const struct location *where, struct arena *arena)
{
	const char *function = location_function(where);

	return (struct stack_frame){
		.function = function ? function_in_source(function, arena) : NULL,
		.file = where->file ? arena_text(arena, where->file) : NULL,
		.line = where->file ? where->line : 0,
		.is_near = where->is_near,
		.module = where->module ? arena_text(arena, where->module) : NULL,
		.offset = where->offset,
	};
}

static bool is_start(const char *function)
{
	return function && (strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0);
}

static bool is_fortran(const char *file)
{
	const char *dot = file ? strrchr(file, '.') : NULL;

	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

/* The compiler's own function around a Fortran program, which is not in the source. */
static bool is_around_program(const struct stack_frames *frames)
{
	const struct stack_frame *last = frames->count > 1 ? &frames->items[frames->count - 1] : NULL;

	return last && is_start(last->function) && is_fortran(last->file) && is_fortran(last[-1].file);
}

/* A frame of a library that starts threads or calls main(). It adds nothing to the program's frames. */
static bool is_of_runtime(const struct stack_frame *frame)
{
	static const char *const libraries[] = {"libgomp.",    "libgomp-", "libomp.", "libiomp5.",
	                                        "libpthread.", "libc.so",  "libc-"};
	const char *name = frame->module && !frame->file ? path_name(frame->module) : NULL;

	for (size_t i = 0; name && i < sizeof libraries / sizeof *libraries; i++)
		if (text_begins(name, libraries[i]))
			return true;
	return false;
}

/* Our own libraries are between the program and the functions that they wrap. */
static bool is_ours(const struct stack_frame *frame)
{
	return frame->module && text_begins(path_name(frame->module), "libtarry-");
}

/* An access, a crash or the start of a thread is shown where the program has a line: inside libraries
 * there is usually none. */
static void leave_libraries(struct stack_frames *frames)
{
	size_t first = 0;

	while (first < frames->count && !frames->items[first].file)
		first++;
	if (first < frames->count) {
		frames->items += first;
		frames->count -= first;
	}
}

struct stack_frames stack_frames_of(struct symbols *symbols, const struct check_call *call,
                                    struct arena *arena)
{
	struct stack_frames frames = {0};
	bool ended = false;

	for (uint32_t i = 0; i < call->stack_count && !ended; i++) {
		struct location where = find_place(symbols, &call->stack[i],
		                                   i || !*findings_function(call) ? NULL
		                                                                  : findings_function(call));

		for (const struct location *at = &where; at && !ended; at = at->caller) {
			struct stack_frame frame = frame_of(at, arena);
			if (!is_ours(&frame) && (!frames.count || !is_of_runtime(&frame)))
				arena_add(arena, frames.items, frames.count, frame);
			/* main() is the caller of a region of main(). */
			ended = !at->in_region && is_start(location_function(at));
		}
	}
	frames.count -= is_around_program(&frames);
	/* The function that made the call ended with it (a tail call), and has no frame. */
	for (; frames.count > 1 && is_of_runtime(&frames.items[0]); frames.count--)
		(++frames.items)->is_near = true;
	if (!*findings_function(call))
		leave_libraries(&frames);
	return frames;
}

void stack_frame_describe(const struct stack_frame *frame, struct text *out)
{
	if (frame->file) {
		text_add(out, "%s:%d", path_name(frame->file), frame->line);
		if (frame->function)
			text_add(out, " (%s)", frame->function);
	} else if (frame->function && frame->module) {
		text_add(out, "%s in %s", frame->function, frame->module);
	} else if (frame->module) {
		text_add(out, "%s+0x%" PRIx64, frame->module, frame->offset);
	}
}
