/* Facts between the analysers of a divided run: four processes in two parts. A byte precedes each frame. Its lowest bits name the process that
 * sends it, or the part that receives it from the hub (TO_PART) or sends it to the hub (TO_HUB). Parts that accept any facts still hand over
 * to a leader. Bit 0: at the end all processes have finalized; bit 1: links between parts and the hub are slow. */
#include "base/memory.h"
#include "check/execution/deadlocks.h"
#include "check/parts/hub.h"
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FINALIZED = 1,
	SLOW = 2,
	PARTS = 2,
	PROCESSES = 4,
	TO_PART = 64,
	TO_HUB = 128,
	STEP_MS = 10,
	WHOLE_MS = 300,
	QUIET_MS = 5000
};

const uint8_t fuzz_modes = 4;

static struct {
	struct part_hub *hub;
	struct check_part *parts[PARTS];
	bool is_over[PARTS];
	struct message_writer up[PARTS], down[PARTS];
	struct analysed_process *processes[PROCESSES], *led[PROCESSES];
	bool is_silent[PROCESSES];
	struct checked_run *leader;
	struct findings_log *log;
	uint64_t now_ms;
} run;

static void ignore_note(const char *sentence)
{
	(void)sentence;
}

static void tell_up(void *owner, const struct message_writer *frames)
{
	put_raw(&run.up[(uintptr_t)owner], frames->bytes, frames->size);
}

static void tell_down(void *owner, uint32_t part, enum message_kind kind, const struct message_writer *body)
{
	(void)owner;
	frame_put(&run.down[part], kind, body);
}

static void gathered(void *owner)
{
	(void)owner;
	analysis_gathered(run.leader);
}

/* At the leader */
static void lead(uint32_t rank, enum message_kind kind, struct cursor *in)
{
	if (run.is_silent[rank])
		return;
	if (kind != MESSAGE_BYE && analysis_frame(run.leader, run.led[rank], kind, in))
		return;
	run.is_silent[rank] = true;
	analysis_process_gone(run.leader, run.led[rank], END_FINALIZED);
}

static void put_to_leader(void *owner, struct analysed_process *process, enum message_kind kind,
                          const struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	(void)owner;
	if (kind == MESSAGE_HELLO && !run.led[process->rank])
		run.led[process->rank] = process_new(&run.leader->known, 1, process->rank, PROCESSES);
	else if (kind != MESSAGE_HELLO)
		lead(process->rank, kind, &in);
}

static void tell_hub(uint32_t part, enum message_kind kind, struct cursor *in)
{
	if (!hub_hear(run.hub, part, kind, in)) {
		part_step_aside(run.parts[part]);
		hub_lose(run.hub);
	}
}

static void tell_part(uint32_t part, enum message_kind kind, struct cursor *in)
{
	struct cursor copy = *in;

	const uint64_t round = kind == MESSAGE_GATHER ? take_varint(&copy) : 0;

	if (round >= PART_HANDS_OVER && round <= PART_ROUNDS && !run.is_over[part] &&
	    !run.parts[part]->is_aside) {
		run.is_over[part] = round == PART_ROUNDS;
		part_hand_over(run.parts[part], (uint32_t)round, put_to_leader, NULL);
	}
	if (part_hear(run.parts[part], kind, in))
		return;
	if (!run.parts[part]->is_aside || run.parts[part]->held_bytes)
		give_up("a part did not believe a fact, and goes on");
	hub_lose(run.hub);
}

/* False: nothing is on its way. */
static bool deliver(struct message_writer *link, uint32_t part,
                    void (*to)(uint32_t, enum message_kind, struct cursor *))
{
	struct cursor in = writer_cursor(link), taken;
	struct message_writer body = {0};
	enum message_kind kind;

	if (!frame_next(&in, FRAME_BYTES_MAX, &kind, &taken))
		return false;
	put_raw(&body, taken.at, cursor_left(&taken));
	link->size = cursor_left(&in);
	memmove(link->bytes, in.at, link->size);
	taken = writer_cursor(&body);
	to(part, kind, &taken);
	writer_release(&body);
	return true;
}

static bool deliver_once(void)
{
	bool any = false;

	for (uint32_t part = 0; part < PARTS; part++) {
		part_flush(run.parts[part]);
		any |= deliver(&run.up[part], part, tell_hub);
		hub_flush(run.hub);
		any |= deliver(&run.down[part], part, tell_part);
	}
	return any;
}

static void pass_time(bool is_slow)
{
	run.now_ms += STEP_MS;
	for (uint32_t part = 0; part < PARTS; part++)
		part_tick(run.parts[part], run.now_ms);
	hub_tick(run.hub, run.now_ms, QUIET_MS);
	while (deliver_once() && !is_slow)
		;
}

static void say(uint8_t who, enum message_kind kind, struct cursor *body)
{
	const uint32_t rank = who % PROCESSES, part = who % PARTS;

	if (who & TO_PART)
		tell_part(part, kind, body);
	else if (who & TO_HUB)
		tell_hub(part, kind, body);
	else if (run.is_over[part])
		lead(rank, kind, body);
	else if (!run.is_silent[rank] && !part_frame(run.parts[part], run.processes[rank], kind, body)) {
		run.is_silent[rank] = true;
		part_process_gone(run.parts[part], run.processes[rank], END_FINALIZED);
	}
}

static void say_all(struct cursor *in, bool is_slow)
{
	const uint8_t *head;
	struct cursor body = {0};
	uint32_t length;

	while ((head = take_bytes(in, 1 + FRAME_HEADER_BYTES)) != NULL) {
		memcpy(&length, head + 1, sizeof length);
		length = length ? length - 1 : 0;
		length = length < cursor_left(in) ? length : (uint32_t)cursor_left(in);
		body = (struct cursor){.at = take_bytes(in, length)};
		body.end = body.at + length;
		say(head[0], (enum message_kind)head[FRAME_HEADER_BYTES], &body);
		pass_time(is_slow);
	}
}

static void begin(void)
{
	static const struct hub_callbacks callbacks = {.tell = tell_down, .gathered = gathered};

	memset(&run, 0, sizeof run);
	unlink(scratch_path("findings.log"));
	run.log = findings_log_open(AT_FDCWD, scratch_path("findings.log"), ignore_note);
	if (!run.log)
		give_up("cannot write findings");
	run.hub = hub_new(&callbacks);
	run.leader = analysis_new(run.log);
	run.leader->is_gathering = true;
	for (uintptr_t part = 0; part < PARTS; part++) {
		run.parts[part] = part_new(run.log, tell_up, (void *)part);
		hub_add_part(run.hub);
	}
	for (uint32_t rank = 0; rank < PROCESSES; rank++) {
		run.processes[rank] = part_process(run.parts[rank % PARTS], 1, rank, PROCESSES);
		hub_add_process(run.hub, rank % PARTS, 1, rank);
	}
}

static void end(bool has_finalized)
{
	struct deadlocks *deadlocks = deadlocks_new(run.leader->execution, run.leader->ordering, run.log,
	                                            &(struct deadlock_callbacks){0});
	struct process_ends ends = {.is_known = !hub_has_lost(run.hub), .all_finalized = has_finalized};

	while (run.now_ms < WHOLE_MS)
		pass_time(false);
	hub_gather(run.hub);
	while (deliver_once())
		;
	ends_add_world(&ends, 1, PROCESSES);
	deadlocks_end(deadlocks);
	analysis_end(run.leader, &ends);
	ends_release(&ends);
	for (uint32_t part = 0; part < PARTS; part++) {
		part_free(run.parts[part]);
		writer_release(&run.up[part]);
		writer_release(&run.down[part]);
	}
	hub_free(run.hub);
	analysis_free(run.leader);
	deadlocks_free(deadlocks);
	findings_log_end(run.log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor in = {.at = data + 1, .end = data + size};

	if (!size)
		return 0;
	begin();
	say_all(&in, *data & SLOW);
	end(*data & FINALIZED);
	return 0;
}
