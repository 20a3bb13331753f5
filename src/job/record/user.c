/* The other end of include/tarry.h: regions, phases and marks of the user's own code. */
#include "job/record/process.h"
#include "job/record/shapes.h"
#include "job/record/timer.h"

static void record_event(enum user_event event, const char *name, const void *site, const void *frame)
{
	struct stream *s = name ? stream_enter(frame) : NULL;
	uint64_t now = timer_now();

	if (!s)
		return;
	const int64_t key[] = {(int64_t)(uintptr_t)site, KEY_CALL(event, 0), text_number(name)};
	stream_record(s, key, sizeof key / sizeof *key, now, now);
	stream_leave(s);
}

#define HOOK(name, event) \
	__attribute__((visibility("default"))) void tarry_hook_##name(const char *text); \
	void tarry_hook_##name(const char *text) \
	{ \
		record_event(event, text, __builtin_return_address(0), __builtin_frame_address(0)); \
	}

HOOK(region_begin, USER_REGION_BEGIN)
HOOK(region_end, USER_REGION_END)
HOOK(phase, USER_PHASE)
HOOK(mark, USER_MARK)
