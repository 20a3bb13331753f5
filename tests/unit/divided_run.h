/* A run that is divided into parts (check/parts), for tests: programs are those of execution_text.h, and links to the leader deliver frames in their order,
 * but late. What is found is kept as text. The test is linked with -Wl,--wrap=findings_log_add,--wrap=findings_log_repeat. */
#ifndef TARRY_TESTS_DIVIDED_RUN_H
#define TARRY_TESTS_DIVIDED_RUN_H

#include "check/execution/deadlocks.h"
#include "check/parts/hub.h"
#include "execution_text.h"

enum { PARTS_MAX = 6, FOUND_MAX = 256 };

/* Findings, and what blocks, as text. */
static struct {
	char texts[FOUND_MAX][160];
	uint64_t times[FOUND_MAX];
	uint32_t by_number[FOUND_MAX]; /* of a finding in the log */
	uint32_t count;
} found;

uint32_t __real_findings_log_add(struct findings_log *log, const struct check_finding *finding);
uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding);
void __wrap_findings_log_repeat(struct findings_log *log, uint32_t number);

static uint32_t add_found(const char *text, uint64_t times)
{
	uint32_t i = 0;

	while (i < found.count && strcmp(found.texts[i], text) != 0)
		i++;
	assert_true(i < FOUND_MAX);
	found.count += i == found.count;
	snprintf(found.texts[i], sizeof found.texts[i], "%s", text);
	found.times[i] += times;
	return i;
}

static bool is_of_place(const struct check_finding *finding)
{
	return !test.has_places && strncmp(check_info(finding->check)->id, "race.message", 12) == 0;
}

uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding)
{
	const uint32_t number = __real_findings_log_add(log, finding);
	char text[160];
	int used = snprintf(text, sizeof text, "%s", check_info(finding->check)->id);

	/* Which of the races at one place is shown depends on the order of events. */
	for (uint32_t i = 0; i < finding->call_count && used < 150 && !is_of_place(finding); i++)
		used += snprintf(text + used, sizeof text - (size_t)used, " %u:%u%.4s",
		                 finding->calls[i].rank, finding->calls[i].function, finding->calls[i].note);
	for (uint32_t i = 0; i < finding->value_count && used < 150 && !is_of_place(finding); i++)
		used += snprintf(text + used, sizeof text - (size_t)used, " %s=%s", finding->values[i].name,
		                 finding->values[i].text);
	assert_true(number < FOUND_MAX);
	found.by_number[number] = add_found(text, finding->times);
	return number;
}

void __wrap_findings_log_repeat(struct findings_log *log, uint32_t number)
{
	(void)log;
	found.times[found.by_number[number]]++;
}

/* The leader, and its links: frames arrive in their order, and late. */

static struct {
	uint32_t count; /* parts */
	uint32_t added; /* that the hub knows */
	struct check_part *parts[PARTS_MAX];
	bool is_over[PARTS_MAX]; /* it has handed over */
	struct part_hub *hub;
	struct message_writer up[PARTS_MAX],
		down[PARTS_MAX]; /* frames on their way to the leader, and back */
	struct analysed_process *processes[RANKS];
	struct checked_run *leader;
	struct analysed_process *led[RANKS];
	struct deadlocks *deadlocks;
	bool connects_late; /* a process connects before its first call, when others may have sent messages to it */
	uint32_t seed;          /* of the moments at which facts are sent */
	uint32_t repeat_at;     /* the n-th frame with messages arrives twice at a part; 0: none does */
	uint32_t looks;         /* questions about waits */
	uint32_t with_messages; /* frames that arrived */
	bool is_contradicted;   /* a part has stepped aside */
	uint32_t slow;          /* in one execution: events of these ranks arrive late */
} parts;

static uint32_t part_of(uint32_t rank)
{
	return rank % parts.count;
}

static void tell_up(void *owner, const struct message_writer *frames)
{
	put_raw(&parts.up[(uintptr_t)owner], frames->bytes, frames->size);
}

static void tell_down(void *owner, uint32_t part, enum message_kind kind, const struct message_writer *body)
{
	(void)owner;
	parts.looks += kind == MESSAGE_WAITS;
	frame_put(&parts.down[part], kind, body);
}

static void gathered(void *owner)
{
	(void)owner;
	analysis_gathered(parts.leader);
}

static void lead(uint32_t rank, enum message_kind kind, struct cursor in)
{
	if (kind == MESSAGE_BYE)
		analysis_process_gone(parts.leader, parts.led[rank], (enum process_end)take_varint(&in));
	else
		assert_true(analysis_frame(parts.leader, parts.led[rank], kind, &in));
}

static void put_to_leader(void *owner, struct analysed_process *process, enum message_kind kind,
                          const struct message_writer *body)
{
	(void)owner;
	if (kind == MESSAGE_HELLO && !parts.led[process->rank])
		parts.led[process->rank] = process_new(&parts.leader->known, 1, process->rank, RANKS);
	else if (kind != MESSAGE_HELLO)
		lead(process->rank, kind, writer_cursor(body));
}

/* The first frame; false: there is none. */
static bool take_frame(struct message_writer *link, enum message_kind *kind, struct message_writer *body)
{
	struct cursor in = writer_cursor(link), taken;

	if (!frame_next(&in, FRAME_BYTES_MAX, kind, &taken))
		return false;
	*body = (struct message_writer){0};
	put_raw(body, taken.at, cursor_left(&taken));
	link->size = cursor_left(&in);
	memmove(link->bytes, in.at, link->size);
	return true;
}

static bool deliver_up(uint32_t part)
{
	struct message_writer body;
	enum message_kind kind;
	struct cursor in;

	if (part >= parts.added || !take_frame(&parts.up[part], &kind, &body))
		return false;
	in = writer_cursor(&body);
	assert_true(hub_hear(parts.hub, part, kind, &in));
	if (next_random(&parts.seed) % 2)
		hub_flush(parts.hub);
	writer_release(&body);
	return true;
}

/* Not only definitions, which may be repeated. */
static bool has_message(const struct message_writer *facts)
{
	struct cursor in = writer_cursor(facts);
	struct part_fact fact;

	take_u64(&in);
	while (part_fact_take(&in, &fact))
		if (fact.kind != PART_DEFINED)
			return true;
	return false;
}

/* The part does not believe a frame. */
static void step_aside(uint32_t part)
{
	assert_true(parts.parts[part]->is_aside);
	parts.is_contradicted = true;
	hub_lose(parts.hub);
}

static bool deliver_down(uint32_t part)
{
	struct message_writer body;
	enum message_kind kind;
	struct cursor in;

	if (!take_frame(&parts.down[part], &kind, &body))
		return false;
	in = writer_cursor(&body);
	if (kind == MESSAGE_GATHER && body.bytes[0] >= PART_HANDS_OVER && !parts.is_over[part] &&
	    !parts.parts[part]->is_aside) {
		part_hand_over(parts.parts[part], body.bytes[0], put_to_leader, NULL);
		parts.is_over[part] = body.bytes[0] == PART_ROUNDS;
	}
	assert_true(part_hear(parts.parts[part], kind, &in));
	if (kind == MESSAGE_FACTS && has_message(&body) && ++parts.with_messages == parts.repeat_at) {
		in = writer_cursor(&body);
		/* One whose frames are kept for the leader may get anything. */
		if (!part_hear(parts.parts[part], kind, &in))
			step_aside(part);
	}
	if (next_random(&parts.seed) % 2)
		part_flush(parts.parts[part]);
	writer_release(&body);
	return true;
}

static void deliver_some(uint32_t *seed)
{
	const uint32_t part = next_random(seed) % parts.count, most = next_random(seed) % 4;

	for (uint32_t i = 0; i < most; i++)
		if (next_random(seed) % 2)
			deliver_up(part);
		else
			deliver_down(part);
}

static void deliver_all(void)
{
	bool any;

	do {
		any = false;
		for (uint32_t part = 0; part < parts.count; part++) {
			part_flush(parts.parts[part]);
			any |= deliver_up(part);
			hub_flush(parts.hub);
			any |= deliver_down(part);
		}
	} while (any);
}

static void say_to_part(uint32_t rank, enum message_kind kind, struct cursor in)
{
	const uint32_t part = part_of(rank);

	if (parts.is_over[part]) {
		lead(rank, kind, in);
		return;
	}
	assert_true(part_frame(parts.parts[part], parts.processes[rank], kind, &in));
	if (next_random(&parts.seed) % 2)
		part_flush(parts.parts[part]);
}

/* Programs */

static void say_types(uint32_t rank)
{
	const struct checked_type integer = {.number = 1, .basic = BASIC_INT, .bytes = 4},
				  real = {.number = 2, .basic = BASIC_DOUBLE, .bytes = 8};
	struct message_writer body = {0};

	type_put(&body, &integer);
	say(rank, MESSAGE_TYPE, &body);
	type_put(&body, &real);
	say(rank, MESSAGE_TYPE, &body);
}

static void say_basics(uint32_t rank)
{
	for (uint32_t comm = 0; comm < COMMS; comm++)
		say_comm(rank, comm);
	say_types(rank);
}

static struct deadlocks *new_deadlocks(struct checked_run *run)
{
	return deadlocks_new(run->execution, run->ordering, test.log, &(struct deadlock_callbacks){0});
}

static void end_line(uint32_t rank)
{
	if (!parts.count)
		analysis_process_gone(test.run, test.processes[rank], END_FINALIZED);
	else if (parts.is_over[part_of(rank)])
		analysis_process_gone(parts.leader, parts.led[rank], END_FINALIZED);
	else
		part_process_gone(parts.parts[part_of(rank)], parts.processes[rank], END_FINALIZED);
}

/* Its next calls have numbers from 1. */
static void forget_line(uint32_t rank)
{
	struct message_writer none = {0};

	say(rank, MESSAGE_FORGET, &none);
	test.calls[rank] = 0;
	say_types(rank);
}

static void connect_part(uint32_t rank)
{
	if (parts.processes[rank])
		return;
	if (parts.is_over[part_of(rank)])
		parts.processes[rank] = parts.led[rank] = process_new(&parts.leader->known, 1, rank, RANKS);
	else
		parts.processes[rank] = part_process(parts.parts[part_of(rank)], 1, rank, RANKS);
	if (part_of(rank) < parts.added)
		hub_add_process(parts.hub, part_of(rank), 1, rank);
	say_basics(rank);
}

static void execute_in_order(const struct line *lines, uint32_t count, uint32_t seed, uint32_t gather_at)
{
	uint32_t next[RANKS] = {0}, done = 0;

	while (done < count) {
		const uint32_t rank = next_random(&seed) % RANKS;

		if (parts.slow >> rank & 1 && !parts.count && next_random(&seed) % 64)
			continue;
		while (next[rank] < count && lines[next[rank]].rank != rank)
			next[rank]++;
		if (next[rank] == count)
			continue;
		if (parts.count)
			connect_part(rank);
		if (parts.count && next_random(&parts.seed) % 4 == 0) /* it has no call yet */
			connect_part(next_random(&parts.seed) % RANKS);
		if (strcmp(lines[next[rank]].words[0], "end") == 0)
			end_line(rank);
		else if (strcmp(lines[next[rank]].words[0], "forget") == 0)
			forget_line(rank);
		else
			execute_line(&lines[next[rank]]);
		next[rank]++;
		if (parts.count && ++done == gather_at)
			hub_gather(parts.hub);
		else
			done += !parts.count;
		if (parts.count)
			deliver_some(&seed);
	}
}

static void add_blocked(const struct analysed_process *process)
{
	/* Whether one that has ended is blocked depends on the order of events. */
	const bool is_there = process->execution && !process->execution->has_ended;

	for (size_t i = 0; is_there && i < process->execution->threads.count; i++) {
		const struct executed_thread *thread = process->execution->threads.items[i];
		char text[64];

		if (!thread || thread->blocked == BLOCKED_NOT)
			continue;
		snprintf(text, sizeof text, "blocked %u.%zu in %u%s, %zu waits, %u missing", process->rank, i,
		         thread->call ? thread->call->function : 0, thread->has_more ? " left" : "",
		         thread->waits.count, thread->missing);
		add_found(text, 1);
	}
}

static void finish(struct checked_run *run, struct deadlocks *deadlocks,
                   struct analysed_process *const *processes)
{
	const struct process_ends ends = {.is_known = !parts.is_contradicted, .all_finalized = true};

	for (uint32_t rank = 0; rank < RANKS && !parts.is_contradicted; rank++)
		add_blocked(processes[rank]);
	deadlocks_end(deadlocks);
	analysis_end(run, &ends);
	execution_free(run->execution);
	deadlocks_free(deadlocks);
	run->execution = execution_new(&run->known);
	analysis_free(run);
}

static void reset(void)
{
	const bool connects_late = parts.connects_late;
	const uint32_t slow = parts.slow;

	memset(&found, 0, sizeof found);
	memset(&parts, 0, sizeof parts);
	parts.connects_late = connects_late;
	parts.slow = slow;
	memset(test.calls, 0, sizeof test.calls);
	memset(test.operations, 0, sizeof test.operations);
	memset(test.requests, 0, sizeof test.requests);
	memset(test.content_calls, 0, sizeof test.content_calls);
	memset(test.broadcasts, 0, sizeof test.broadcasts);
	findings_log_end(test.log);
	unlinkat(test.descriptor, "log", 0);
	test.log = findings_log_open(test.descriptor, "log", no_note);
}

static void execute_in_one(const struct line *lines, uint32_t count, uint32_t seed)
{
	struct deadlocks *deadlocks;

	reset();
	test.say_elsewhere = NULL;
	test.run = analysis_new(test.log);
	deadlocks = new_deadlocks(test.run);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		test.processes[rank] = process_new(&test.run->known, 1, rank, RANKS);
		say_basics(rank);
	}
	execute_in_order(lines, count, seed, 0);
	finish(test.run, deadlocks, test.processes);
}

static void add_part(void)
{
	const uint32_t part = parts.added++;

	parts.leader->is_gathering = true;
	assert_int_equal(hub_add_part(parts.hub), part);
	for (uint32_t rank = part; rank < RANKS && !parts.connects_late; rank += parts.count)
		hub_add_process(parts.hub, part, 1, rank);
}

/* The hub knows some of them. */
static void begin_some_parts(uint32_t part_count, uint32_t added)
{
	struct hub_callbacks callbacks = {.tell = tell_down, .gathered = gathered};

	reset();
	parts.count = part_count;
	parts.hub = hub_new(&callbacks);
	parts.leader = analysis_new(test.log);
	parts.deadlocks = new_deadlocks(parts.leader);
	test.say_elsewhere = say_to_part;
	for (uintptr_t i = 0; i < part_count; i++)
		parts.parts[i] = part_new(test.log, tell_up, (void *)i);
	while (parts.added < added)
		add_part();
	for (uint32_t rank = 0; rank < RANKS && !parts.connects_late; rank++)
		connect_part(rank);
}

static void begin_parts(uint32_t part_count)
{
	begin_some_parts(part_count, part_count);
}

static void end_parts(void)
{
	hub_gather(parts.hub);
	deliver_all();
	assert_true(hub_has_gathered(parts.hub));
	for (uint32_t i = 0; i < parts.count; i++) {
		part_free(parts.parts[i]);
		writer_release(&parts.up[i]);
		writer_release(&parts.down[i]);
	}
	hub_free(parts.hub);
	finish(parts.leader, parts.deadlocks, parts.led);
	test.say_elsewhere = NULL;
}

static void execute_in_parts(const struct line *lines, uint32_t count, uint32_t seed, uint32_t part_count,
                             uint32_t gather_at, uint32_t repeat_at)
{
	begin_parts(part_count);
	parts.repeat_at = repeat_at;
	execute_in_order(lines, count, seed, gather_at);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		connect_part(rank);
	deliver_all();
	end_parts();
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Everything that was found, sorted. */
static char *found_text(void)
{
	size_t room = found.count * 200 + 1;
	char *text = calloc(room, 1), (*lines)[200] = calloc(found.count + 1, sizeof *lines);

	for (uint32_t i = 0; i < found.count; i++)
		snprintf(lines[i], sizeof *lines, "%s, %llu times\n", found.texts[i],
		         (unsigned long long)found.times[i]);
	qsort(lines, found.count, sizeof *lines, compare_texts);
	for (uint32_t i = 0; i < found.count; i++)
		strcat(text, lines[i]);
	free(lines);
	return text;
}

/* Programs at random: most of their calls match. */

static void add_line(struct line *lines, uint32_t *count, const char *format, ...)
{
	char text[64];
	va_list values;

	if (*count == LINES_MAX)
		return;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	*count += parse_line(text, strlen(text), &lines[*count]);
}

/* No process waits: whether a wildcard may have taken a message that nobody received depends on the order of events. */
static void add_unreceived(struct line *lines, uint32_t *count, uint32_t from, uint32_t to, uint32_t tag)
{
	add_line(lines, count, "%u: isend %u %u x on 1", from, to, tag);
	add_line(lines, count, "%u: drop x", from);
}

static void add_step(struct line *lines, uint32_t *count, uint32_t *seed)
{
	const uint32_t from = next_random(seed) % RANKS,
		       to = (from + 1 + next_random(seed) % (RANKS - 1)) % RANKS;
	const uint32_t tag = next_random(seed) % 3 ? 1 : 2 + next_random(seed) % 8,
		       kind = next_random(seed) % 26;

	if (kind < 6) {
		add_line(lines, count, "%u: send %u %u", from, to, tag);
		add_line(lines, count, "%u: recv %u %u", to, from, tag);
	} else if (kind < 10) {
		add_line(lines, count, "%u: isend %u %u a", from, to, tag);
		add_line(lines, count, "%u: irecv %u %u b", to, from, tag);
		add_line(lines, count, "%u: %s b", to, next_random(seed) % 2 ? "wait" : "completes");
		add_line(lines, count, "%u: %s a", from, next_random(seed) % 2 ? "wait" : "completes");
	} else if (kind < 13) {
		for (uint32_t rank = 0; rank < RANKS; rank++)
			add_line(lines, count, "%u: %s", rank,
			         test.has_contents && tag % 2 ? "bcast" : "barrier");
	} else if (test.has_wildcards && (kind == 13 || kind == 14)) {
		add_unreceived(lines, count, from, to, tag);
	} else if (kind == 13) {
		add_line(lines, count, "%u: send %u %u", from, to, tag);
	} else if (kind == 14) {
		add_line(lines, count, "%u: %s", from, next_random(seed) % 2 ? "bcast" : "barrier");
	} else if (kind == 15) {
		add_line(lines, count, "%u: isend %u %u c", from, to, tag);
		add_line(lines, count, "%u: recv %u %u", to, from, tag);
		add_line(lines, count, "%u: drop c", from);
	} else if (kind >= 18 && kind < 20) { /* a ready send, in time */
		add_line(lines, count, "%u: irecv %u %u c on 1", to, from, tag);
		add_line(lines, count, "%u: send %u 20 on 1", to, from);
		add_line(lines, count, "%u: recv %u 20 on 1", from, to);
		add_line(lines, count, "%u: %s %u %u on 1", from, kind == 18 ? "rsend" : "irsend", to, tag);
		add_line(lines, count, "%u: wait c", to);
	} else if (kind >= 24) { /* cancelled; no message has this tag */
		add_line(lines, count, "%u: irecv %u 11 c", to, from);
		add_line(lines, count, "%u: void c", to);
	} else if (kind >= 22) {
		add_line(lines, count, "%u: send %u %u", from, to, tag);
		add_line(lines, count, "%u: mprobe %u %u c", to, from, tag);
		if (kind == 22)
			add_line(lines, count, "%u: send %u %u", to, from, tag);
		add_line(lines, count, "%u: mrecv %u %u c", to, from, tag);
		if (kind == 22)
			add_line(lines, count, "%u: recv %u %u", from, to, tag);
	} else if (kind >= 20) { /* too early */
		add_line(lines, count, "%u: irsend %u %u c on 1", from, to, tag);
		add_line(lines, count, "%u: send %u 20 on 1", from, to);
		add_line(lines, count, "%u: recv %u 20 on 1", to, from);
		add_line(lines, count, "%u: %s %u %u on 1", to, kind == 20 ? "recv" : "irecv", from, tag);
		add_line(lines, count, "%u: wait c", from);
	} else { /* where no other message is left: it would be taken first */
		add_line(lines, count, "%u: %s %u any%s on 1", to, kind == 16 ? "recv" : "irecv", from,
		         kind == 16 ? "" : " b");
		add_line(lines, count, "%u: send %u %u on 1", from, to, tag);
		add_line(lines, count, "%u: takes %s %u %u", to, kind == 16 ? "last" : "b", from, tag);
	}
}

/* Receives with MPI_ANY_SOURCE: whatever their messages are, they could be taken in this order. */
struct wildcard_step {
	uint32_t to, from[2], tag;
	const char *send, *any, *receive;
};

static void add_wildcard_pair(struct line *lines, uint32_t *count, const struct wildcard_step *step,
                              bool posts)
{
	for (int i = 0; i < 2 && posts; i++)
		add_line(lines, count, "%u: irecv any %s %c on 1", step->to, step->any, 'd' + i);
	for (int i = 0; i < 2; i++)
		add_line(lines, count, "%u: %s %u %u on 1", step->from[i], step->send, step->to, step->tag);
	for (int i = 0; i < 2; i++) {
		if (!posts)
			add_line(lines, count, "%u: %s any %s on 1", step->to, step->receive, step->any);
		add_line(lines, count, "%u: takes %s %u %u", step->to,
		         !posts ? "last"
		         : i    ? "e"
		                : "d",
		         step->from[i], step->tag);
	}
	if (posts)
		add_line(lines, count, "%u: wait d e", step->to);
}

/* The second message is sent after the first one has been received: no race. */
static void add_wildcard_order(struct line *lines, uint32_t *count, const struct wildcard_step *step,
                               uint32_t by)
{
	add_line(lines, count, "%u: %s %u %u on 1", step->from[0], step->send, step->to, step->tag);
	add_line(lines, count, "%u: %s any %s on 1", step->to, step->receive, step->any);
	add_line(lines, count, "%u: takes last %u %u", step->to, step->from[0], step->tag);
	if (by == 0) {
		add_line(lines, count, "%u: send %u 30", step->to, step->from[1]);
		add_line(lines, count, "%u: recv %u 30", step->from[1], step->to);
	} else if (by == 1 && strcmp(step->send, "ssend") == 0) {
		add_line(lines, count, "%u: send %u 30", step->from[0], step->from[1]);
		add_line(lines, count, "%u: recv %u 30", step->from[1], step->from[0]);
	} else {
		for (uint32_t rank = 0; rank < RANKS; rank++)
			add_line(lines, count, "%u: barrier", rank);
	}
	add_line(lines, count, "%u: %s %u %u on 1", step->from[1], step->send, step->to, step->tag);
	add_line(lines, count, "%u: %s any %s on 1", step->to, step->receive, step->any);
	add_line(lines, count, "%u: takes last %u %u", step->to, step->from[1], step->tag);
}

/* The other message could be taken by the wildcard, and is received by its name. */
static void add_wildcard_choice(struct line *lines, uint32_t *count, const struct wildcard_step *step)
{
	add_line(lines, count, "%u: %s %u %u on 1", step->from[0], step->send, step->to, step->tag);
	add_line(lines, count, "%u: %s any %s on 1", step->to, step->receive, step->any);
	add_line(lines, count, "%u: takes last %u %u", step->to, step->from[0], step->tag);
	add_line(lines, count, "%u: %s %u %u on 1", step->from[1], step->send, step->to, step->tag);
	add_line(lines, count, "%u: recv %u %u on 1", step->to, step->from[1], step->tag);
}

static void add_wildcard_probe(struct line *lines, uint32_t *count, const struct wildcard_step *step)
{
	add_line(lines, count, "%u: %s %u %u on 1", step->from[0], step->send, step->to, step->tag);
	add_line(lines, count, "%u: %s %u %u on 1", step->from[1], step->send, step->to, step->tag);
	for (int i = 0; i < 2; i++) {
		add_line(lines, count, "%u: mprobe any %s %c on 1", step->to, step->any, 'f' + i);
		add_line(lines, count, "%u: takes last %u %u", step->to, step->from[i], step->tag);
		add_line(lines, count, "%u: mrecv %u %u %c on 1", step->to, step->from[i], step->tag,
		         'f' + i);
	}
}

static void add_wildcards(struct line *lines, uint32_t *count, uint32_t *seed)
{
	static const char *const sends[] = {"send", "ssend", "ssend", "isend"};
	struct wildcard_step step = {.to = next_random(seed) % RANKS};
	const uint32_t kind = next_random(seed) % 9;

	step.from[0] = (step.to + 1 + next_random(seed) % (RANKS - 1)) % RANKS;
	do
		step.from[1] = next_random(seed) % RANKS;
	while (step.from[1] == step.to || step.from[1] == step.from[0]);
	step.tag = 1 + next_random(seed) % 2;
	step.send = sends[next_random(seed) % 3];
	step.any = next_random(seed) % 2 ? "any" : step.tag == 1 ? "1" : "2";
	step.receive = next_random(seed) % 2 ? "recv" : "srecv";
	if (kind < 4)
		add_wildcard_pair(lines, count, &step, kind % 2);
	else if (kind < 6)
		add_wildcard_order(lines, count, &step, next_random(seed) % 3);
	else if (kind == 6)
		add_wildcard_choice(lines, count, &step);
	else if (kind == 7)
		add_wildcard_probe(lines, count, &step);
	else
		add_unreceived(lines, count, step.from[0], step.to, step.tag);
}

static uint32_t random_program(uint32_t program, struct line *lines, uint32_t *seed)
{
	uint32_t count = 0;

	*seed = program * 7919;
	for (uint32_t i = 0; i < 4 + program % 12; i++)
		if (test.has_wildcards && next_random(seed) % 3)
			add_wildcards(lines, &count, seed);
		else
			add_step(lines, &count, seed);
	return count;
}

#endif
