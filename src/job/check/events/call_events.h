/* The events of a call, and their flags, from the table of calls. */
#ifndef TARRY_JOB_CHECK_EVENTS_CALL_EVENTS_H
#define TARRY_JOB_CHECK_EVENTS_CALL_EVENTS_H

#include "calls/calls.h"
#include "check/protocol/messages.h"
#include "job/check/wire/agent_call.h"

enum call_event {
	EVENT_NONE,
	EVENT_MESSAGE, /* point-to-point: sends, receives, or both */
	EVENT_PROBE,   /* does not remove the message */
	EVENT_MATCHED_PROBE,
	EVENT_MATCHED_RECEIVE,
	EVENT_COLLECTIVE,
	EVENT_WAIT, /* for requests; a test has no event until its requests are complete */
};

static inline enum call_event call_event(enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	if (call_sends(info) || call_receives(info))
		return call_has(info, KIND_message) ? EVENT_MATCHED_RECEIVE : EVENT_MESSAGE;
	if (info->collective)
		return info->life == LIFE_BEGINS ? EVENT_NONE : EVENT_COLLECTIVE;
	if (info->class == CLASS_PROBE)
		return call_has(info, KIND_newmessage) ? EVENT_MATCHED_PROBE : EVENT_PROBE;
	return call_waits_for_requests(info) ? EVENT_WAIT : EVENT_NONE;
}

/* enum check_call_flag: mode and form. */
static inline uint32_t call_form(enum call_id id)
{
	static const uint8_t modes[MODE_VALUES] = {[MODE_BUFFERED] = CHECK_CALL_BUFFERED,
	                                           [MODE_SYNCHRONOUS] = CHECK_CALL_SYNCHRONOUS,
	                                           [MODE_READY] = CHECK_CALL_READY};
	const struct call_info *info = &all_calls[id];
	const bool returns_at_once = call_has(info, KIND_newrequest) ||
	                             (info->tests && info->class == CLASS_PROBE);

	return modes[info->mode] | (info->persistent  ? CHECK_CALL_PERSISTENT
	                            : returns_at_once ? CHECK_CALL_NONBLOCKING
	                                              : 0);
}

#endif
