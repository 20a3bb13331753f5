#include "analysis/engine/relation.h"

#include "analysis/model/relations.h"

#define EVENT(told_, type, field) \
	{ \
		.kind = RECIPE_EVENT, .told = (told_), .offset = offsetof(struct type, field) \
	}
#define FIELD_OF(kind_, told_, type, field) \
	{ \
		.kind = RECIPE_##kind_, .told = (told_), .offset = offsetof(struct type, field) \
	}
#define OF_CALL(event_, column) \
	{ \
		.kind = RECIPE_CALL, .event = NATIVE_##event_, .call = CALL_COLUMN_##column \
	}
#define OF_MESSAGE(part_) \
	{ \
		.kind = RECIPE_ENVELOPE, .event = NATIVE_TRANSFER_SEND, .part = ENVELOPE_##part_ \
	}

const struct recipe recipes[NATIVE_COLUMNS_END] = {
	[NATIVE_TRANSFER_SEND] = EVENT(TOLD_ROW, transfer, send),
	[NATIVE_TRANSFER_POST] = EVENT(TOLD_ROW, transfer, post),
	[NATIVE_TRANSFER_WAIT] = EVENT(TOLD_GROUP, completion, wait),
	[NATIVE_TRANSFER_IS_SEND] = FIELD_OF(BOOL, TOLD_ROW, transfer, is_send),
	[NATIVE_TRANSFER_IS_PROBE] = FIELD_OF(BOOL, TOLD_ROW, transfer, is_probe),
	[NATIVE_TRANSFER_BYTES] = {.kind = RECIPE_BYTES, .event = NATIVE_TRANSFER_SEND},
	[NATIVE_TRANSFER_TAG] = OF_MESSAGE(TAG),
	[NATIVE_TRANSFER_COMM] = OF_MESSAGE(COMM),
	[NATIVE_TRANSFER_SOURCE] = OF_MESSAGE(SOURCE),
	[NATIVE_TRANSFER_DEST] = OF_MESSAGE(DEST),
	[NATIVE_TRANSFER_EAGER] = {.kind = RECIPE_EAGER, .event = NATIVE_TRANSFER_SEND},
	[NATIVE_TRANSFER_ESTIMATE] = {.kind = RECIPE_ESTIMATE,
                                      .event = NATIVE_TRANSFER_SEND,
                                      .other = NATIVE_TRANSFER_POST},
	[NATIVE_TRANSFER_WILDCARD] = {.kind = RECIPE_WILDCARD, .event = NATIVE_TRANSFER_POST},
	[NATIVE_TRANSFER_OVERTAKES] = FIELD_OF(BOOL, TOLD_ROW, transfer, overtakes),
	[NATIVE_TRANSFER_OVERTAKEN] = FIELD_OF(UNSIGNED, TOLD_ROW, transfer, overtaken_bytes),
	[NATIVE_TRANSFER_MET] = FIELD_OF(WORD, TOLD_GROUP, completion, met),
	[NATIVE_TRANSFER_COMPLETION] = {.kind = RECIPE_SERIAL},
	[NATIVE_COLLECTIVE_CALL_CALL] = EVENT(TOLD_ROW, participant, call),
	[NATIVE_COLLECTIVE_CALL_WAIT] = EVENT(TOLD_ROW, participant, wait),
	[NATIVE_COLLECTIVE_CALL_SINCE] = FIELD_OF(WORD, TOLD_ROW, participant, since),
	[NATIVE_COLLECTIVE_CALL_START] = OF_CALL(COLLECTIVE_CALL_CALL, START),
	[NATIVE_COLLECTIVE_CALL_END] = OF_CALL(COLLECTIVE_CALL_WAIT, END),
	[NATIVE_COLLECTIVE_CALL_FUNCTION] = OF_CALL(COLLECTIVE_CALL_CALL, FUNCTION),
	[NATIVE_COLLECTIVE_CALL_INSTANCE] = {.kind = RECIPE_SERIAL},
	[NATIVE_COLLECTIVE_CALL_COMM] = FIELD_OF(WORD, TOLD_GROUP, gathering, comm),
	[NATIVE_COLLECTIVE_CALL_RANK] = FIELD_OF(UNSIGNED, TOLD_ROW, participant, rank),
	[NATIVE_COLLECTIVE_CALL_SIZE] = FIELD_OF(UNSIGNED, TOLD_GROUP, gathering, size),
	[NATIVE_COLLECTIVE_CALL_IS_ROOT] = FIELD_OF(BOOL, TOLD_ROW, participant, is_root),
	[NATIVE_COLLECTIVE_CALL_SENT] = OF_CALL(COLLECTIVE_CALL_CALL, SENT),
	[NATIVE_COLLECTIVE_CALL_RECEIVED] = OF_CALL(COLLECTIVE_CALL_CALL, RECEIVED),
	[NATIVE_COLLECTIVE_CALL_IS_COMPLETE] = FIELD_OF(BOOL, TOLD_GROUP, gathering, is_complete),
	[NATIVE_COLLECTIVE_CALL_POSITION] = FIELD_OF(WORD, TOLD_GROUP, gathering, position),
	[NATIVE_COLLECTIVE_CALL_ALONE] = FIELD_OF(WORD, TOLD_ROW, participant, alone),
	[NATIVE_NEIGHBOUR_CALL] = EVENT(TOLD_ROW, neighbour_call, call),
	[NATIVE_NEIGHBOUR_WAIT] = EVENT(TOLD_ROW, neighbour_call, wait),
	[NATIVE_NEIGHBOUR_LAST] = EVENT(TOLD_ROW, neighbour_call, last),
	[NATIVE_NEIGHBOUR_SINCE] = FIELD_OF(WORD, TOLD_ROW, neighbour_call, since),
	[NATIVE_NEIGHBOUR_RANK] = FIELD_OF(UNSIGNED, TOLD_ROW, neighbour_call, rank),
	[NATIVE_NEIGHBOUR_SOURCES] = FIELD_OF(UNSIGNED, TOLD_ROW, neighbour_call, sources),
	[NATIVE_REQUEST_START] = EVENT(TOLD_ROW, request_life, start),
	[NATIVE_REQUEST_WAIT] = EVENT(TOLD_ROW, request_life, wait),
	[NATIVE_REQUEST_POLLS] = FIELD_OF(WORD, TOLD_ROW, request_life, polls),
	[NATIVE_REQUEST_IS_CANCELLED] = FIELD_OF(BOOL, TOLD_ROW, request_life, is_cancelled),
	[NATIVE_REQUEST_IS_PERSISTENT] = FIELD_OF(BOOL, TOLD_ROW, request_life, is_persistent),
	[NATIVE_EXPOSURE_POST] = EVENT(TOLD_GROUP, exposures, post),
	[NATIVE_EXPOSURE_TARGET_WAIT] = EVENT(TOLD_GROUP, exposures, wait),
	[NATIVE_EXPOSURE_START] = EVENT(TOLD_ROW, exposure, start),
	[NATIVE_EXPOSURE_COMPLETE] = EVENT(TOLD_ROW, exposure, complete),
	[NATIVE_EXPOSURE_FIRST] = EVENT(TOLD_ROW, exposure, first),
	[NATIVE_EXPOSURE_LAST] = EVENT(TOLD_ROW, exposure, last),
	[NATIVE_EXPOSURE_ACCESSES] = FIELD_OF(WORD, TOLD_ROW, exposure, accesses),
	[NATIVE_EXPOSURE_WINDOW] = FIELD_OF(WORD, TOLD_GROUP, exposures, window),
	[NATIVE_EXPOSURE_INSTANCE] = {.kind = RECIPE_SERIAL},
	[NATIVE_ACCESS_EPOCH_START] = EVENT(TOLD_GROUP, access_epoch, start),
	[NATIVE_ACCESS_EPOCH_COMPLETE] = EVENT(TOLD_GROUP, access_epoch, complete),
	[NATIVE_ACCESS_EPOCH_POST] = EVENT(TOLD_ROW, access_target, post),
	[NATIVE_ACCESS_EPOCH_FIRST] = EVENT(TOLD_ROW, access_target, first),
	[NATIVE_ACCESS_EPOCH_ACCESSES] = FIELD_OF(WORD, TOLD_ROW, access_target, accesses),
	[NATIVE_ACCESS_EPOCH_TARGET] = FIELD_OF(UNSIGNED, TOLD_ROW, access_target, target),
	[NATIVE_ACCESS_EPOCH_WINDOW] = FIELD_OF(WORD, TOLD_GROUP, access_epoch, window),
	[NATIVE_ACCESS_EPOCH_INSTANCE] = {.kind = RECIPE_SERIAL},
	[NATIVE_FENCE_CALL] = EVENT(TOLD_ROW, fence_part, call),
	[NATIVE_FENCE_LAST] = EVENT(TOLD_ROW, fence_part, last),
	[NATIVE_FENCE_ACCESSES] = FIELD_OF(WORD, TOLD_ROW, fence_part, accesses),
	[NATIVE_FENCE_ORIGINS] = FIELD_OF(UNSIGNED, TOLD_ROW, fence_part, origins),
	[NATIVE_FENCE_RANK] = FIELD_OF(UNSIGNED, TOLD_ROW, fence_part, rank),
	[NATIVE_FENCE_SIZE] = FIELD_OF(UNSIGNED, TOLD_GROUP, fence, size),
	[NATIVE_FENCE_WINDOW] = FIELD_OF(WORD, TOLD_GROUP, fence, window),
	[NATIVE_FENCE_INSTANCE] = {.kind = RECIPE_SERIAL},
	[NATIVE_LOCK_TAKE] = EVENT(TOLD_ROW, lock_hold, take),
	[NATIVE_LOCK_GIVE] = EVENT(TOLD_ROW, lock_hold, give),
	[NATIVE_LOCK_BEFORE] = EVENT(TOLD_ROW, lock_hold, before),
	[NATIVE_LOCK_FIRST] = EVENT(TOLD_ROW, lock_hold, first),
	[NATIVE_LOCK_IS_EXCLUSIVE] = FIELD_OF(BOOL, TOLD_ROW, lock_hold, is_exclusive),
	[NATIVE_LOCK_TARGET] = FIELD_OF(SIGNED, TOLD_ROW, lock_hold, target),
	[NATIVE_LOCK_WINDOW] = FIELD_OF(WORD, TOLD_ROW, lock_hold, window),
	[NATIVE_MUTEX_TAKE] = EVENT(TOLD_ROW, mutex_hold, take),
	[NATIVE_MUTEX_GIVE] = EVENT(TOLD_ROW, mutex_hold, give),
	[NATIVE_MUTEX_BEFORE] = EVENT(TOLD_ROW, mutex_hold, before),
	[NATIVE_MUTEX_MUTEX] = FIELD_OF(WORD, TOLD_ROW, mutex_hold, mutex),
	[NATIVE_MUTEX_TARGET] = OF_CALL(MUTEX_TAKE, TARGET),
	[NATIVE_THREAD_FENCE_CALL] = EVENT(TOLD_ROW, thread_fence, call),
	[NATIVE_THREAD_FENCE_LAST] = EVENT(TOLD_ROW, thread_fence, last),
	[NATIVE_THREAD_FENCE_ACCESSES] = FIELD_OF(WORD, TOLD_ROW, thread_fence, accesses),
	[NATIVE_THREAD_FENCE_BYTES] = FIELD_OF(WORD, TOLD_ROW, thread_fence, bytes),
	[NATIVE_PASSIVE_CALL] = EVENT(TOLD_ROW, passive_call, call),
	[NATIVE_PASSIVE_NEXT] = EVENT(TOLD_ROW, passive_call, next),
	[NATIVE_PASSIVE_ABSENT] = FIELD_OF(WORD, TOLD_ROW, passive_call, absent),
	[NATIVE_PASSIVE_CONTENDED] = FIELD_OF(BOOL, TOLD_ROW, passive_call, is_contended),
	[NATIVE_PASSIVE_TARGET] = FIELD_OF(UNSIGNED, TOLD_ROW, passive_call, target),
	[NATIVE_PASSIVE_WINDOW] = FIELD_OF(WORD, TOLD_ROW, passive_call, window),
	[NATIVE_ACCESS_CALL] = EVENT(TOLD_ROW, access, call),
	[NATIVE_ACCESS_CLOSE] = EVENT(TOLD_ROW, access, close),
	[NATIVE_ACCESS_WINDOW] = FIELD_OF(WORD, TOLD_ROW, access, window),
	[NATIVE_ACCESS_ORIGIN] = FIELD_OF(UNSIGNED, TOLD_ROW, access, origin),
	[NATIVE_ACCESS_TARGET] = FIELD_OF(UNSIGNED, TOLD_ROW, access, target),
	[NATIVE_ACCESS_BYTES] = {.kind = RECIPE_BYTES, .event = NATIVE_ACCESS_CALL},
	[NATIVE_PARTITIONED_START] = EVENT(TOLD_ROW, partitioned_send, start),
	[NATIVE_PARTITIONED_FIRST] = EVENT(TOLD_ROW, partitioned_send, first),
	[NATIVE_PARTITIONED_LAST] = EVENT(TOLD_ROW, partitioned_send, last),
	[NATIVE_PARTITIONED_READY] = FIELD_OF(WORD, TOLD_ROW, partitioned_send, ready),
	[NATIVE_POLLING_CALL] = EVENT(TOLD_ROW, polling, call),
	[NATIVE_POLLING_POLLS] = FIELD_OF(WORD, TOLD_ROW, polling, polls),
	[NATIVE_POLLING_BUSY] = FIELD_OF(WORD, TOLD_ROW, polling, busy),
	[NATIVE_INVERSION_WAIT] = EVENT(TOLD_ROW, inversion, wait),
	[NATIVE_INVERSION_SEND] = EVENT(TOLD_ROW, inversion, send),
	[NATIVE_INVERSION_SAME_SOURCE] = FIELD_OF(BOOL, TOLD_ROW, inversion, is_same_source),
	[NATIVE_PHASE_BEGIN] = EVENT(TOLD_ROW, phase_time, begin),
	[NATIVE_PHASE_FINISH] = EVENT(TOLD_ROW, phase_time, finish),
	[NATIVE_PHASE_NAME] = FIELD_OF(TEXT, TOLD_ROW, phase_time, name),
	[NATIVE_PHASE_ID] = FIELD_OF(UNSIGNED, TOLD_ROW, phase_time, phase),
	[NATIVE_SITE_CALL] = EVENT(TOLD_ROW, site_sum, call),
	[NATIVE_SITE_COUNT] = FIELD_OF(WORD, TOLD_ROW, site_sum, count),
	[NATIVE_SITE_STARTS] = FIELD_OF(WORD, TOLD_ROW, site_sum, starts),
	[NATIVE_SITE_INSIDE] = FIELD_OF(WORD, TOLD_ROW, site_sum, inside),
	[NATIVE_SITE_BEFORE] = FIELD_OF(WORD, TOLD_ROW, site_sum, before),
	[NATIVE_SITE_STOLEN] = FIELD_OF(WORD, TOLD_ROW, site_sum, stolen),
	[NATIVE_SITE_BYTES] = FIELD_OF(WORD, TOLD_ROW, site_sum, bytes),
	[NATIVE_SITE_PEER] = FIELD_OF(WORD, TOLD_ROW, site_sum, peer),
	[NATIVE_SITE_EAGER] = FIELD_OF(WORD, TOLD_ROW, site_sum, eager),
	[NATIVE_SITE_AGAIN] = FIELD_OF(WORD, TOLD_ROW, site_sum, again),
	[NATIVE_SITE_AGAIN_INSIDE] = FIELD_OF(WORD, TOLD_ROW, site_sum, again_inside),
	[NATIVE_SITE_FOUND] = FIELD_OF(WORD, TOLD_ROW, site_sum, found),
	[NATIVE_SITE_FOUND_INSIDE] = FIELD_OF(WORD, TOLD_ROW, site_sum, found_inside),
	[NATIVE_SITE_LAIN] = FIELD_OF(WORD, TOLD_ROW, site_sum, lain),
	[NATIVE_SITE_MOVING] = FIELD_OF(WORD, TOLD_ROW, site_sum, moving),
	[NATIVE_SITE_PASSED_ON] = FIELD_OF(WORD, TOLD_ROW, site_sum, passed_on),
	[NATIVE_SITE_UNTIL_PASSED] = FIELD_OF(WORD, TOLD_ROW, site_sum, until_passed),
	[NATIVE_SITE_REPLIES] = FIELD_OF(WORD, TOLD_ROW, site_sum, replies),
	[NATIVE_SITE_REPLY_GAP] = FIELD_OF(WORD, TOLD_ROW, site_sum, reply_gap),
	[NATIVE_SITE_REPLY_SENT] = FIELD_OF(WORD, TOLD_ROW, site_sum, reply_sent),
	[NATIVE_SITE_REPLY_SAVED] = FIELD_OF(WORD, TOLD_ROW, site_sum, reply_saved),
	[NATIVE_SITE_ANSWERED] = EVENT(TOLD_ROW, site_sum, answered),
	[NATIVE_SITE_SETTLED] = FIELD_OF(WORD, TOLD_ROW, site_sum, settled),
	[NATIVE_SITE_WORKED] = FIELD_OF(WORD, TOLD_ROW, site_sum, worked),
	[NATIVE_SITE_STOLEN_INSIDE] = FIELD_OF(WORD, TOLD_ROW, site_sum, stolen_inside),
};

const struct recipe call_recipe = {.kind = RECIPE_EVENT, .told = TOLD_ROW, .offset = 0};

#define TOLD_ALONE(row) \
	{ \
		sizeof(struct row), 0 \
	}
#define TOLD_WITH(row, group) \
	{ \
		sizeof(struct row), sizeof(struct group) \
	}

const struct relation_info relation_infos[RELATIONS_END] = {
	[RELATION_CALL] = {"call", TOLD_ALONE(occurrence), NATIVE_COLUMNS_END},
	[RELATION_TRANSFER] = {"transfer", TOLD_WITH(transfer, completion), NATIVE_TRANSFER_WAIT},
	[RELATION_COLLECTIVE_CALL] = {"collective_call", TOLD_WITH(participant, gathering),
                                      NATIVE_COLLECTIVE_CALL_WAIT},
	[RELATION_NEIGHBOUR] = {"neighbour_call", TOLD_ALONE(neighbour_call), NATIVE_NEIGHBOUR_WAIT},
	[RELATION_REQUEST] = {"request_life", TOLD_ALONE(request_life), NATIVE_REQUEST_START},
	[RELATION_EXPOSURE] = {"exposure", TOLD_WITH(exposure, exposures), NATIVE_EXPOSURE_POST},
	[RELATION_ACCESS_EPOCH] = {"access_epoch", TOLD_WITH(access_target, access_epoch),
                                   NATIVE_ACCESS_EPOCH_START},
	[RELATION_FENCE] = {"fence", TOLD_WITH(fence_part, fence), NATIVE_FENCE_CALL},
	[RELATION_PARTITIONED] = {"partitioned_send", TOLD_ALONE(partitioned_send), NATIVE_PARTITIONED_START},
	[RELATION_POLLING] = {"polling", TOLD_ALONE(polling), NATIVE_POLLING_CALL},
	[RELATION_LOCK] = {"lock_hold", TOLD_ALONE(lock_hold), NATIVE_LOCK_TAKE},
	[RELATION_MUTEX] = {"mutex_hold", TOLD_ALONE(mutex_hold), NATIVE_MUTEX_TAKE},
	[RELATION_THREAD_FENCE] = {"thread_fence", TOLD_ALONE(thread_fence), NATIVE_THREAD_FENCE_CALL},
	[RELATION_PASSIVE] = {"passive_call", TOLD_ALONE(passive_call), NATIVE_PASSIVE_CALL},
	[RELATION_ACCESS] = {"access", TOLD_ALONE(access), NATIVE_ACCESS_CALL},
	[RELATION_INVERSION] = {"inversion", TOLD_ALONE(inversion), NATIVE_INVERSION_WAIT},
	[RELATION_PHASE] = {"phase_time", TOLD_ALONE(phase_time), NATIVE_PHASE_BEGIN},
	[RELATION_SITE] = {"site", TOLD_ALONE(site_sum), NATIVE_SITE_CALL},
};

_Static_assert(offsetof(struct occurrence, phase) == offsetof(struct occurrence, thread) + 4,
               "thread and phase are copied as one word");

const uint32_t part_offsets[CALL_PARTS] = {
	[PART_FACTS] = offsetof(struct occurrence, role),
	[PART_START] = offsetof(struct occurrence, start),
	[PART_END] = offsetof(struct occurrence, end),
	[PART_POSITION] = offsetof(struct occurrence, position),
	[PART_WHERE] = offsetof(struct occurrence, thread),
};
