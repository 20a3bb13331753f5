#include "job/record/skipped.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/record/requests.h"
#include "job/record/stream_define.h"

#include <string.h>

enum {
	COUNTS = 2048,  /* a power of two */
	BEGUN = 256,    /* begun requests, which are written if they do not end in time */
	NUMBERS = 8192, /* of tracked requests; the end of others is always written */
	KEY_WORDS = 18,
	ERROR_TRUNCATE = 15, /* in the trace's numbering; a message has arrived nevertheless */
};

struct skipped_count {
	uint64_t count;
	uint32_t words;
	int64_t key[KEY_WORDS];
};

/* A receive with an unknown source, or a prepared request. */
struct unseen_request {
	int64_t number;
	uint32_t call; /* for its SKIPPED record */
	int64_t comm, peer, tag;
	bool is_started; /* a prepared request was started */
};

static struct {
	struct skipped_count counts[COUNTS]; /* in the order of their first calls */
	uint32_t count;
	uint32_t slots[2 * COUNTS]; /* 1 + the number of a count, by hash of its key */
	struct unseen_request begun[BEGUN];
	uint32_t begun_count;
	uint8_t numbers[NUMBERS]; /* by request: enum number_state */
	bool is_lost;
	bool only_wild; /* of ended requests, only receives with wildcards count */
} skipped;

enum number_state {
	NUMBER_SKIPPED = 1, /* begun by an excluded call */
	NUMBER_WILD = 2,    /* is, or may be, a recorded receive with a wildcard */
};

uint32_t skipped_kind(uint32_t id)
{
	static const uint32_t flows[MOVES_VALUES] = {[MOVES_SEND] = SKIPPED_SENDS,
	                                             [MOVES_RECV] = SKIPPED_RECEIVES,
	                                             [MOVES_SENDRECV] = SKIPPED_SENDS | SKIPPED_RECEIVES,
	                                             [MOVES_REPLACE] = SKIPPED_SENDS | SKIPPED_RECEIVES};
	const struct call_info *call = id < ALL_CALLS ? &all_calls[id] : NULL;
	uint32_t begins = call && call_has(call, KIND_newrequest) ? SKIPPED_BEGINS : 0;

	if (!call || call->class == CLASS_ENVIRONMENT)
		return 0;
	if (call_has(call, KIND_newmessage))
		return SKIPPED_FINDS;
	if (call_has(call, KIND_message))
		return SKIPPED_TAKES | begins;
	return flows[call->moves] | (call->starts ? SKIPPED_STARTS : 0) |
	       (call->collective ? SKIPPED_COLLECTIVE : 0) |
	       (call->class == CLASS_REQUEST && !call->starts ? SKIPPED_COMPLETES : 0) | begins;
}

static int64_t value_of(const int64_t *key, uint32_t words, enum field_key wanted)
{
	uint32_t at = KEY_VALUES;

	for (const uint8_t *field = shape_of((uint32_t)key[KEY_WHAT])->fields; *field && at < words;
	     field++, at++)
		if (*field == wanted)
			return key[at];
	return ABSENT;
}

struct wanted_field {
	enum field_key field;
	int64_t value;
};

/* Makes the key of a call with only these fields, and without a site. */
static uint32_t make_key(int64_t *key, uint32_t id, const struct wanted_field *fields, size_t count)
{
	const uint8_t *shape = shape_of(id)->fields;
	uint32_t words = KEY_VALUES;

	key[KEY_SITE] = 0;
	key[KEY_WHAT] = KEY_CALL(id, 0);
	for (; *shape; shape++) {
		key[words] = ABSENT;
		for (size_t i = 0; i < count; i++)
			if (fields[i].field == *shape)
				key[words] = fields[i].value;
		words++;
	}
	return words;
}

static void count_key(const int64_t *key, uint32_t words, uint64_t times)
{
	uint32_t at = hash_fold(hash_words(key, words, 0)) & (2 * COUNTS - 1);
	struct skipped_count *found;

	for (; skipped.slots[at]; at = (at + 1) & (2 * COUNTS - 1)) {
		found = &skipped.counts[skipped.slots[at] - 1];
		if (found->words == words && memcmp(found->key, key, words * sizeof *key) == 0) {
			found->count += times;
			return;
		}
	}
	if (skipped.count == COUNTS || words > KEY_WORDS) {
		skipped.is_lost = true;
		return;
	}
	skipped.slots[at] = skipped.count + 1;
	found = &skipped.counts[skipped.count++];
	found->count = times;
	found->words = words;
	memcpy(found->key, key, words * sizeof *key);
}

static void count_call(uint32_t id, const struct wanted_field *fields, size_t count)
{
	int64_t key[KEY_WORDS];

	count_key(key, make_key(key, id, fields, count), 1);
}

static void count_message(uint32_t id, int64_t comm, int64_t peer, int64_t tag)
{
	const struct wanted_field fields[] = {{FIELD_COMM, comm}, {FIELD_PEER, peer}, {FIELD_TAG, tag}};

	if (peer >= 0 && comm != ABSENT)
		count_call(id, fields, sizeof fields / sizeof *fields);
}

static void count_number(uint32_t id, enum field_key field, int64_t number)
{
	const struct wanted_field fields[] = {{field, number}};

	count_call(id, fields, 1);
}

static void set_number(int64_t number, uint8_t state)
{
	if (number >= 0 && number < NUMBERS)
		skipped.numbers[number] = state;
}

static uint8_t number_of(int64_t number)
{
	return number >= 0 && number < NUMBERS ? skipped.numbers[number] : NUMBER_WILD;
}

static bool is_skipped(int64_t number)
{
	return number_of(number) & NUMBER_SKIPPED;
}

static struct unseen_request *find_begun(int64_t number)
{
	for (uint32_t i = 0; i < skipped.begun_count; i++)
		if (skipped.begun[i].number == number)
			return &skipped.begun[i];
	return NULL;
}

static void forget_begun(struct unseen_request *begun)
{
	*begun = skipped.begun[--skipped.begun_count];
}

static void keep_begun(struct unseen_request begun)
{
	struct unseen_request *before = find_begun(begun.number);

	if (before)
		*before = begun;
	else if (skipped.begun_count < BEGUN)
		skipped.begun[skipped.begun_count++] = begun;
	else
		skipped.is_lost = true;
}

static bool is_wild(int64_t peer, int64_t tag)
{
	return peer == RANK_ANY || tag == TAG_ANY;
}

/* A completed request, read from the words of a key. */
struct ended_request {
	int64_t number;
	bool has_source, cancelled;
	int64_t source, tag;
};

static void end_request(const struct ended_request *ended)
{
	struct unseen_request *begun = find_begun(ended->number);

	if (begun) {
		if (ended->has_source && !ended->cancelled && is_wild(begun->peer, begun->tag))
			count_message(CALL_Recv, begun->comm, ended->source, ended->tag);
		if (begun->call == CALL_Irecv)
			forget_begun(begun);
		else
			begun->is_started = false;
	} else if (is_skipped(ended->number)) {
		/* It was already counted at its start. */
		skipped.is_lost |= ended->cancelled;
	} else if (!skipped.only_wild || number_of(ended->number) & NUMBER_WILD) {
		/* Counts the end of a request that is in the trace. */
		int64_t key[KEY_WORDS];
		uint32_t words = make_key(key, CALL_Wait, NULL, 0);
		key[words++] = KEY_DONE(ended->number, ended->has_source);
		if (ended->has_source) {
			key[words++] = KEY_SOURCE(ended->source, ended->tag);
			key[words++] = 0;
		}
		if (ended->cancelled) {
			key[words++] = FIELD_CANCELLED;
			key[words++] = 1;
		}
		count_key(key, words, 1);
	}
	set_number(ended->number, 0);
}

static const int64_t *read_ended(const int64_t *at, const int64_t *end, struct ended_request *ended)
{
	*ended = (struct ended_request){.number = *at >> 8 & UINT32_MAX, .has_source = *at >> 40};
	at++;
	if (ended->has_source) {
		ended->source = *at >> 32;
		ended->tag = (int32_t)*at;
		at += 2;
	}
	for (; at < end && (*at & 0xff) != FIELD_DONE; at += 2)
		ended->cancelled |= *at == FIELD_CANCELLED;
	return at;
}

static void start_request(int64_t number)
{
	struct unseen_request *begun = find_begun(number);

	if (!begun) {
		count_number(CALL_Start, FIELD_REQUEST, number);
	} else {
		begun->is_started = true;
		if (begun->call == CALL_Send_init)
			count_message(CALL_Send, begun->comm, begun->peer, begun->tag);
		else if (!is_wild(begun->peer, begun->tag))
			count_message(CALL_Recv, begun->comm, begun->peer, begun->tag);
	}
}

static void add_preparation(uint32_t id, const int64_t *key, uint32_t words, uint32_t kind)
{
	struct unseen_request begun = {.number = value_of(key, words, FIELD_REQUEST),
	                               .call = kind & SKIPPED_SENDS ? CALL_Send_init : CALL_Recv_init,
	                               .comm = value_of(key, words, FIELD_COMM),
	                               .peer = value_of(key, words, FIELD_PEER),
	                               .tag = value_of(key, words, FIELD_TAG)};
	const struct wanted_field fields[] = {{FIELD_COMM, begun.comm}, {FIELD_REQUEST, begun.number}};

	if (kind & SKIPPED_COLLECTIVE)
		count_call(id, fields, sizeof fields / sizeof *fields);
	else if (begun.number != ABSENT)
		keep_begun(begun);
	else
		skipped.is_lost = true;
}

static void add_receive(const int64_t *key, uint32_t words, uint32_t kind, int64_t request)
{
	bool both = kind & SKIPPED_SENDS;
	int64_t comm = value_of(key, words, FIELD_COMM), source = value_of(key, words, FIELD_SOURCE),
		source_tag = value_of(key, words, FIELD_SOURCE_TAG);
	int64_t peer = value_of(key, words, both ? FIELD_RECV_PEER : FIELD_PEER);
	int64_t tag = value_of(key, words, both ? FIELD_RECV_TAG : FIELD_TAG);

	peer = source != ABSENT ? source : peer;
	tag = source_tag != ABSENT ? source_tag : tag;
	if (!is_wild(peer, tag))
		count_message(CALL_Recv, comm, peer, tag);
	else if (request != ABSENT && peer != RANK_NULL)
		keep_begun((struct unseen_request){request, CALL_Irecv, comm, peer, tag, false});
	else if (peer != RANK_NULL)
		skipped.is_lost = true;
}

static void add_collective(uint32_t id, const int64_t *key, uint32_t words)
{
	int64_t comm = value_of(key, words, FIELD_COMM);
	const struct wanted_field on_comm = {FIELD_COMM, comm},
				  on_object[] = {{FIELD_WIN, value_of(key, words, FIELD_WIN)},
	                                         {FIELD_FILE, value_of(key, words, FIELD_FILE)}};

	if (call_is_pgas(&all_calls[id]))
		skipped.is_lost = true;
	else if (comm != ABSENT)
		count_call(CALL_Barrier, &on_comm, 1);
	else
		count_call(id, on_object, 2);
}

/* A message that MPI_Mprobe found and numbered, or its receive. */
static void add_found(const int64_t *key, uint32_t words, uint32_t kind)
{
	int64_t message = value_of(key, words, FIELD_MESSAGE);

	if (message == ABSENT)
		return;
	if (kind & SKIPPED_FINDS) {
		add_receive(key, words, SKIPPED_RECEIVES, ABSENT);
		set_number(message, NUMBER_SKIPPED);
	} else {
		if (!is_skipped(message))
			count_number(CALL_Mrecv, FIELD_MESSAGE, message);
		set_number(message, 0);
	}
}

static void add_operation(uint32_t id, const int64_t *key, uint32_t words, uint32_t kind)
{
	int64_t request = kind & SKIPPED_BEGINS ? value_of(key, words, FIELD_REQUEST) : ABSENT;

	if (kind & (SKIPPED_FINDS | SKIPPED_TAKES))
		add_found(key, words, kind);
	if (kind & SKIPPED_SENDS)
		count_message(CALL_Send, value_of(key, words, FIELD_COMM), value_of(key, words, FIELD_PEER),
		              value_of(key, words, FIELD_TAG));
	if (kind & SKIPPED_RECEIVES)
		add_receive(key, words, kind, request);
	if (kind & SKIPPED_COLLECTIVE)
		add_collective(id, key, words);
	if (request != ABSENT)
		set_number(request, NUMBER_SKIPPED);
}

void skipped_add(struct recording_stream *s, uint32_t kind, const int64_t *key, uint32_t words, uint64_t tick)
{
	uint32_t id = (uint32_t)key[KEY_WHAT];
	int64_t result = key[KEY_WHAT] >> 32, number;
	const int64_t *at = key + KEY_VALUES + strlen((const char *)shape_of(id)->fields), *end = key + words;
	struct ended_request ended;

	/* The completed or started requests follow the values. */
	while (at < end) {
		if ((*at & 0xff) == FIELD_DONE) {
			at = read_ended(at, end, &ended);
			end_request(&ended);
			continue;
		}
		if (*at == FIELD_REQUEST && all_calls[id].starts)
			start_request(at[1]);
		at += 2;
	}
	if (result && result != ERROR_TRUNCATE)
		return;
	number = value_of(key, words, FIELD_REQUEST);
	if (kind & SKIPPED_STARTS && number != ABSENT)
		start_request(number);
	else if (id == CALL_Request_free && find_begun(number))
		forget_begun(find_begun(number));
	else if (all_calls[id].persistent)
		add_preparation(id, key, words, kind);
	else
		add_operation(id, key, words, kind);
	if (skipped.count + 8 > COUNTS || skipped.begun_count == BEGUN)
		skipped_write(s, tick);
}

void skipped_recorded(uint32_t kind, const int64_t *key, uint32_t words)
{
	bool both = kind & SKIPPED_SENDS && kind & SKIPPED_RECEIVES;
	int64_t peer = value_of(key, words, both ? FIELD_RECV_PEER : FIELD_PEER);
	int64_t tag = value_of(key, words, both ? FIELD_RECV_TAG : FIELD_TAG);

	if (kind & SKIPPED_BEGINS)
		set_number(value_of(key, words, FIELD_REQUEST),
		           kind & SKIPPED_RECEIVES && is_wild(peer, tag) ? NUMBER_WILD : 0);
	if (kind & SKIPPED_FINDS)
		set_number(value_of(key, words, FIELD_MESSAGE), 0);
}

void skipped_begin(void)
{
	memset(skipped.numbers, NUMBER_WILD, sizeof skipped.numbers);
}

void skipped_without_completions(void)
{
	skipped.only_wild = true;
}

bool skipped_are_pending(void)
{
	return skipped.count || skipped.begun_count;
}

bool skipped_are_counted(void)
{
	bool counted = !skipped.is_lost;

	skipped.is_lost = false;
	return counted;
}

/* Writes active requests, which are in the trace from now on. */
static void write_begun(struct recording_stream *s, uint64_t tick)
{
	int64_t key[KEY_WORDS];

	for (uint32_t i = 0; i < skipped.begun_count; i++) {
		const struct unseen_request *begun = &skipped.begun[i];
		const struct wanted_field fields[] = {{FIELD_COMM, begun->comm},
		                                      {FIELD_PEER, begun->peer},
		                                      {FIELD_TAG, begun->tag},
		                                      {FIELD_REQUEST, begun->number}};
		const struct wanted_field started = {FIELD_REQUEST, begun->number};
		stream_skipped(s, key, make_key(key, begun->call, fields, 4), tick, 1);
		set_number(begun->number, NUMBER_WILD);
		if (begun->is_started && begun->call == CALL_Recv_init && is_wild(begun->peer, begun->tag))
			stream_skipped(s, key, make_key(key, CALL_Start, &started, 1), tick, 1);
	}
	skipped.begun_count = 0;
}

/* The number of calls to be written first. The last start of an active prepared request is written after all other calls, so that it stays active. */
static uint64_t times_before(const struct skipped_count *count, int64_t *again)
{
	int64_t number = count->key[KEY_VALUES];

	if ((uint32_t)count->key[KEY_WHAT] != CALL_Start || number >= request_table.limit ||
	    !(request_get((uint32_t)number)->traits & REQUEST_STARTED))
		return count->count;
	*again = number;
	return count->count - 1;
}

void skipped_write(struct recording_stream *s, uint64_t tick)
{
	int64_t key[KEY_WORDS], again;

	for (const struct skipped_count *count = skipped.counts; count < skipped.counts + skipped.count;
	     count++)
		if (times_before(count, &again))
			stream_skipped(s, count->key, count->words, tick, times_before(count, &again));
	for (uint32_t i = 0; i < skipped.count; i++)
		if (times_before(&skipped.counts[i], &again) < skipped.counts[i].count) {
			const struct wanted_field started = {FIELD_REQUEST, again};
			stream_skipped(s, key, make_key(key, CALL_Start, &started, 1), tick, 1);
		}
	write_begun(s, tick);
	memset(skipped.slots, 0, sizeof skipped.slots);
	skipped.count = 0;
}
