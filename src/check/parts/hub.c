#include "check/parts/hub.h"

#include "check/execution/clock_changes.h"

struct hub_part {
	bool is_gone;
	bool is_late; /* it came after the beginning of a gathering: its facts are in what it hands over */
	bool is_over; /* it is late, and has handed over */
	bool has_answered; /* this round */
	struct message_writer facts;
	uint64_t world;                    /* of the facts */
	struct vector_clock *heard, *told; /* of its last collective calls */
};

/* A collective call that some members have made. */
struct reached_call {
	uint64_t identity, sequence;
	struct collective_summary summary;
	struct vector_clock *sum; /* what its members know */
	uint32_t arrived, places;
	ARRAY(uint32_t) parts; /* that have members there */
};

/* Facts for a process that has not come yet. */
struct held_facts {
	uint64_t world;
	uint32_t rank;
	struct message_writer facts;
};

struct part_hub {
	struct hub_callbacks callbacks;
	ARRAY(struct hub_part) parts;
	struct map processes; /* by world and rank: their part */
	struct map call_numbers;
	ARRAY(struct reached_call) calls;
	ARRAY(uint32_t) free_calls;
	ARRAY(struct held_facts) held;
	uint64_t held_bytes;
	uint32_t round; /* of a gathering; 0: none */
	/* Questions who waits */
	uint64_t question, asked_ms;
	struct wait_answers *answers; /* NULL: only whether anything happens is asked */
	uint32_t unanswered;          /* parts */
	uint32_t looks;               /* that a suspicion still gets */
	uint64_t knot;                /* that the last of them showed */
	uint64_t event_count, seen_count, progress_ms;
	uint32_t uses; /* of all parts: enum part_use */
	bool has_gathered;
	bool has_lost; /* a part did not hand over its processes */
	uint32_t timed_round;
	uint64_t round_ms; /* since then */
	uint64_t fact_count;
};

struct part_hub *hub_new(const struct hub_callbacks *callbacks)
{
	struct part_hub *hub = memory_new(1, sizeof *hub);

	hub->callbacks = *callbacks;
	return hub;
}

static void release_facts(struct part_hub *hub)
{
	for (size_t i = 0; i < hub->parts.count; i++)
		writer_release(&hub->parts.items[i].facts);
	for (size_t i = 0; i < hub->held.count; i++)
		writer_release(&hub->held.items[i].facts);
	hub->held.count = 0;
}

void hub_free(struct part_hub *hub)
{
	release_facts(hub);
	wait_answers_free(hub->answers);
	for (size_t i = 0; i < hub->calls.count; i++) {
		array_release(&hub->calls.items[i].parts);
		clock_drop(hub->calls.items[i].sum);
	}
	for (size_t i = 0; i < hub->parts.count; i++) {
		clock_drop(hub->parts.items[i].heard);
		clock_drop(hub->parts.items[i].told);
	}
	array_release(&hub->parts);
	map_release(&hub->processes);
	map_release(&hub->call_numbers);
	array_release(&hub->calls);
	array_release(&hub->free_calls);
	array_release(&hub->held);
	free(hub);
}

static void tell(const struct part_hub *hub, uint32_t part, enum message_kind kind,
                 const struct message_writer *body)
{
	if (!hub->parts.items[part].is_gone)
		hub->callbacks.tell(hub->callbacks.owner, part, kind, body);
}

/* Facts */

static void flush_part(struct part_hub *hub, uint32_t number)
{
	struct message_writer facts = hub->parts.items[number].facts;

	if (!facts.size)
		return;
	/* Whoever hears it may tell something at once. */
	hub->parts.items[number].facts = (struct message_writer){0};
	tell(hub, number, MESSAGE_FACTS, &facts);
	writer_release(&facts);
}

void hub_flush(struct part_hub *hub)
{
	for (uint32_t i = 0; i < hub->parts.count; i++)
		flush_part(hub, i);
}

static void add_facts(struct part_hub *hub, uint32_t number, uint64_t world, const void *bytes, size_t size)
{
	enum { FACTS_BYTES = 1 << 18 };
	struct hub_part *part = &hub->parts.items[number];

	if (part->facts.size && (part->world != world || part->facts.size > FACTS_BYTES)) {
		flush_part(hub, number);
		part = &hub->parts.items[number];
	}
	if (!part->facts.size)
		put_word(&part->facts, world);
	part->world = world;
	put_raw(&part->facts, bytes, size);
}

static void hold_facts(struct part_hub *hub, uint64_t world, uint32_t rank, const void *bytes, size_t size)
{
	size_t i = 0;

	while (i < hub->held.count && (hub->held.items[i].world != world || hub->held.items[i].rank != rank))
		i++;
	if (i == hub->held.count)
		array_add(&hub->held, (struct held_facts){.world = world, .rank = rank});
	put_raw(&hub->held.items[i].facts, bytes, size);
	hub->held_bytes += size;
	if (hub->held_bytes > FRAME_BYTES_MAX / 2)
		hub_gather(hub);
}

static bool hear_facts(struct part_hub *hub, struct cursor *in)
{
	const uint64_t world = take_u64(in);
	const uint8_t *at = in->at;
	struct part_fact fact;

	for (; part_fact_take(in, &fact); at = in->at) {
		hub->fact_count++;
		const uint32_t *part = map_find(&hub->processes, map_key(world, fact.rank));

		if (part)
			add_facts(hub, *part, world, at, (size_t)(in->at - at));
		else
			hold_facts(hub, world, fact.rank, at, (size_t)(in->at - at));
	}
	return !in->bad;
}

void hub_add_process(struct part_hub *hub, uint32_t part, uint64_t world, uint32_t rank)
{
	uint32_t *number = map_put(&hub->processes, map_key(world, rank));

	if (*number != MAP_NONE)
		return;
	*number = part;
	for (size_t i = 0; i < hub->held.count; i++)
		if (hub->held.items[i].world == world && hub->held.items[i].rank == rank) {
			add_facts(hub, part, world, hub->held.items[i].facts.bytes,
			          hub->held.items[i].facts.size);
			hub->held_bytes -= hub->held.items[i].facts.size;
			writer_release(&hub->held.items[i].facts);
			hub->held.items[i] = hub->held.items[--hub->held.count];
			return;
		}
}

/* Collective calls */

/* Components of clocks are ranks. */
static uint32_t rank_name(void *owner, uint32_t rank)
{
	(void)owner;
	return rank;
}

static uint32_t rank_component(void *owner, uint32_t rank)
{
	enum { RANK_MAX = 1 << 22 };

	(void)owner;
	return rank < RANK_MAX ? rank : UINT32_MAX;
}

static const struct clock_names rank_names = {NULL, rank_name, rank_component};

static void tell_reached(struct part_hub *hub, uint32_t part, const struct reached_call *call)
{
	struct message_writer body = {0};

	flush_part(hub, part);
	put_word(&body, call->identity);
	put_number(&body, call->sequence);
	put_number(&body, call->sum != NULL);
	if (call->sum)
		clock_put_changes(&body, &rank_names, &hub->parts.items[part].told, call->sum);
	tell(hub, part, MESSAGE_REACHED, &body);
	writer_release(&body);
}

static struct reached_call *call_get(struct part_hub *hub, uint64_t identity, uint64_t sequence)
{
	uint32_t *number = map_put(&hub->call_numbers, map_key(identity, sequence));

	if (*number == MAP_NONE) {
		*number = (uint32_t)hub->calls.count;
		if (hub->free_calls.count)
			*number = hub->free_calls.items[--hub->free_calls.count];
		else
			array_new_item(&hub->calls);
		hub->calls.items[*number] = (struct reached_call){.identity = identity, .sequence = sequence};
	}
	return &hub->calls.items[*number];
}

static void complete(struct part_hub *hub, struct reached_call *call)
{
	const struct reached_call reached = *call;

	map_remove(&hub->call_numbers, map_key(call->identity, call->sequence));
	array_add(&hub->free_calls, (uint32_t)(call - hub->calls.items));
	*call = (struct reached_call){0};
	/* First come the facts about earlier calls of the members. */
	for (size_t i = 0; i < reached.parts.count; i++)
		tell_reached(hub, reached.parts.items[i], &reached);
	free(reached.parts.items);
	clock_drop(reached.sum);
}

static bool hear_reached(struct part_hub *hub, uint32_t part, struct cursor *in)
{
	const uint64_t identity = take_u64(in), sequence = take_varint(in);
	const uint64_t places = take_varint(in), count = take_varint(in);
	struct collective_summary summary = {0};
	struct reached_call *call;
	bool is_known = false, has_clock;

	summary.form = take_u64(in);
	summary.data = take_u64(in);
	summary.root = take_varint(in);
	summary.balance = take_u64(in);
	has_clock = take_varint(in);
	if (has_clock)
		clock_take_changes(in, &rank_names, &hub->parts.items[part].heard);
	if (in->bad || !count || count > places || places > UINT32_MAX || !summary.form)
		return false;
	hub->fact_count++;
	call = call_get(hub, identity, sequence);
	if (has_clock)
		clock_join(&call->sum, hub->parts.items[part].heard);
	collective_summary_add(&call->summary, &summary);
	/* Processes contradict each other: the leader compares them. */
	if (call->arrived && (call->places != places || count > places - call->arrived))
		call->summary.is_wrong = true;
	call->places = (uint32_t)places;
	if (call->summary.is_wrong)
		hub_gather(hub);
	call->arrived += (uint32_t)count;
	for (size_t i = 0; i < call->parts.count; i++)
		is_known |= call->parts.items[i] == part;
	if (!is_known)
		array_add(&call->parts, part);
	/* A call whose members disagree stays open: the leader compares them. */
	if (call->arrived >= places && !hub->round) {
		if (collective_summary_agrees(&call->summary))
			complete(hub, call);
		else
			hub_gather(hub);
	}
	return true;
}

/* Gathering */

static void begin_round(struct part_hub *hub)
{
	struct message_writer body = {0};

	hub_flush(hub);
	hub->round++;
	put_number(&body, hub->round);
	for (size_t i = 0; i < hub->parts.count; i++)
		hub->parts.items[i].has_answered = false;
	for (uint32_t i = 0; i < hub->parts.count; i++)
		tell(hub, i, MESSAGE_GATHER, &body);
	writer_release(&body);
}

void hub_gather(struct part_hub *hub)
{
	if (!hub->round)
		begin_round(hub);
}

void hub_lose(struct part_hub *hub)
{
	hub->has_lost = true;
	hub_gather(hub);
}

bool hub_is_gathering(const struct part_hub *hub)
{
	return hub->round;
}

bool hub_has_gathered(const struct part_hub *hub)
{
	return hub->has_gathered;
}

uint64_t hub_fact_count(const struct part_hub *hub)
{
	return hub->fact_count;
}

static bool awaits_late_parts(const struct part_hub *hub)
{
	for (size_t i = 0; i < hub->parts.count; i++)
		if (hub->parts.items[i].is_late && !hub->parts.items[i].is_over &&
		    !hub->parts.items[i].is_gone)
			return true;
	return false;
}

static void go_on(struct part_hub *hub)
{
	for (size_t i = 0; i < hub->parts.count; i++)
		if (!hub->parts.items[i].has_answered && !hub->parts.items[i].is_gone &&
		    !hub->parts.items[i].is_late)
			return;
	if (hub->round < PART_ROUNDS) {
		begin_round(hub);
		return;
	}
	if (!hub->has_gathered)
		release_facts(hub);
	hub->has_gathered = true;
	if (!awaits_late_parts(hub))
		hub->callbacks.gathered(hub->callbacks.owner);
}

static bool hear_round(struct part_hub *hub, uint32_t part, struct cursor *in)
{
	const uint64_t round = take_varint(in);

	if (in->bad || round > PART_ROUNDS)
		return false;
	if (!round) {
		hub_gather(hub);
	} else if (hub->parts.items[part].is_late) {
		hub->parts.items[part].is_over |= round == PART_ROUNDS;
		go_on(hub);
	} else if (round == hub->round && !hub->parts.items[part].has_answered) {
		hub->parts.items[part].has_answered = true;
		go_on(hub);
	}
	return true;
}

/* Waits */

enum {
	ROUND_MS = 30000, /* for an answer to a round of a gathering */
	LOOKS = 2,        /* of a suspicion: facts may be on their way at the first */
	AGAIN_MS = 50,    /* between those */
	QUIET_LOOK_MS = 500,
};

static void ask(struct part_hub *hub, uint64_t now_ms, bool wants_waits)
{
	struct message_writer body = {0};

	hub_flush(hub); /* these facts come before the question */
	hub->asked_ms = now_ms;
	hub->question++;
	hub->event_count = 0;
	hub->unanswered = 0;
	wait_answers_free(hub->answers);
	hub->answers = wants_waits ? wait_answers_new() : NULL;
	put_number(&body, hub->question);
	put_number(&body, wants_waits);
	for (size_t i = 0; i < hub->parts.count; i++)
		hub->unanswered += !hub->parts.items[i].is_gone;
	for (uint32_t i = 0; i < hub->parts.count; i++)
		tell(hub, i, MESSAGE_WAITS, &body);
	writer_release(&body);
}

/* Parts that do not answer for long are not waited for. */
static void time_round(struct part_hub *hub, uint64_t now_ms)
{
	if (hub->timed_round != hub->round) {
		hub->timed_round = hub->round;
		hub->round_ms = now_ms;
	}
	if (hub->has_gathered || now_ms - hub->round_ms < ROUND_MS)
		return;
	for (size_t i = 0; i < hub->parts.count; i++)
		if (!hub->parts.items[i].has_answered && !hub->parts.items[i].is_late)
			hub->parts.items[i].is_gone = hub->has_lost = true;
	go_on(hub);
}

bool hub_has_lost(const struct part_hub *hub)
{
	return hub->has_lost;
}

void hub_tick(struct part_hub *hub, uint64_t now_ms, uint64_t quiet_ms)
{
	const uint64_t waited = now_ms - hub->asked_ms;

	if (hub->round)
		time_round(hub, now_ms);
	if (hub->round || !hub->parts.count)
		return;
	if (!hub->unanswered && (hub->event_count != hub->seen_count || !hub->progress_ms)) {
		hub->seen_count = hub->event_count;
		hub->progress_ms = now_ms;
	}
	if (!hub->unanswered && hub->seen_count && quiet_ms && now_ms - hub->progress_ms >= quiet_ms)
		hub_gather(hub);
	else if (!hub->unanswered && hub->looks && (hub->looks == LOOKS || waited >= AGAIN_MS))
		ask(hub, now_ms, true);
	else if (waited >= QUIET_LOOK_MS && !hub->unanswered)
		ask(hub, now_ms, false);
}

/* Two looks show the same: no fact was on its way. */
static void judge(struct part_hub *hub, uint64_t knot)
{
	if (knot && knot == hub->knot)
		hub_gather(hub);
	else if (knot && !hub->looks)
		hub->looks = 1;
	hub->knot = knot;
}

static bool hear_waits(struct part_hub *hub, struct cursor *in)
{
	const uint64_t question = take_varint(in);
	bool right = true;

	if (!question) {
		hub->looks = LOOKS;
		return !in->bad;
	}
	if (question != hub->question || !hub->unanswered)
		return true;
	hub->event_count += take_varint(in);
	take_varint(in);
	if (hub->answers)
		right = wait_answers_add(hub->answers, in);
	if (--hub->unanswered || !hub->answers)
		return right && !in->bad;
	hub->looks -= hub->looks > 0;
	judge(hub, wait_answers_knot(hub->answers));
	wait_answers_free(hub->answers);
	hub->answers = NULL;
	return right && !in->bad;
}

static void tell_uses(struct part_hub *hub, uint32_t part)
{
	struct message_writer body = {0};

	put_number(&body, hub->uses);
	tell(hub, part, MESSAGE_USES, &body);
	writer_release(&body);
}

static bool hear_uses(struct part_hub *hub, struct cursor *in)
{
	const uint64_t uses = take_varint(in);

	const uint32_t before = hub->uses;

	if (in->bad || uses > PART_USES)
		return false;
	hub->uses |= (uint32_t)uses;
	if ((hub->uses & PART_USES_BOTH) == PART_USES_BOTH)
		hub_gather(hub);
	for (uint32_t i = 0; ~before & hub->uses & PART_USES_TAKERS && i < hub->parts.count; i++)
		tell_uses(hub, i);
	return true;
}

uint32_t hub_add_part(struct part_hub *hub)
{
	const uint32_t number = (uint32_t)hub->parts.count;
	struct message_writer body = {0};

	array_add(&hub->parts, (struct hub_part){0});
	if (hub->round) { /* the others have stopped: it hands over at once */
		hub->parts.items[number].is_late = true;
		put_number(&body, PART_ROUNDS);
		tell(hub, number, MESSAGE_GATHER, &body);
		writer_release(&body);
	} else if (hub->uses & PART_USES_TAKERS) {
		tell_uses(hub, number);
	}
	return number;
}

uint32_t hub_next_part(const struct part_hub *hub)
{
	return (uint32_t)hub->parts.count;
}

void hub_remove_part(struct part_hub *hub, uint32_t part)
{
	hub->parts.items[part].is_gone = true;
	hub->has_lost |= !hub->has_gathered;
	hub->unanswered = 0; /* and ask again */
	if (hub->round)
		go_on(hub);
}

bool hub_hear(struct part_hub *hub, uint32_t part, enum message_kind kind, struct cursor *in)
{
	const bool is_late = hub->parts.items[part].is_late;

	switch (kind) {
	case MESSAGE_FACTS:
		return is_late || hear_facts(hub, in);
	case MESSAGE_REACHED:
		return is_late || hear_reached(hub, part, in);
	case MESSAGE_GATHER:
		return hear_round(hub, part, in);
	case MESSAGE_USES:
		return hear_uses(hub, in);
	case MESSAGE_WAITS:
		return hub->round || hear_waits(hub, in);
	default:
		return false;
	}
}
