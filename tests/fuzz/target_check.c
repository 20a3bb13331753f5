/* What agents tell an analyser: frames, each behind a byte that says which of four processes tells it. A process that broke a rule
 * is not listened to again. Bit 0: at the end all processes have finalized, otherwise they wait forever; bit 1: the frames are
 * those of other kinds, which are read and written again; both: they are what a process had not sent when it vanished. */
#include "base/memory.h"
#include "check/analyser/unsent_replay.h"
#include "check/execution/deadlocks.h"
#include "check/matching/analysis.h"
#include "check/protocol/handshake.h"
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FINALIZED = 1, OTHER_KINDS = 2, PROCESSES = 4 };

const uint8_t fuzz_modes = 4;

static void ignore_note(const char *sentence)
{
	(void)sentence;
}

/* Agents that say what makes a deadlock certain: each thread is in the call that it is blocked in. */
static struct {
	struct deadlocks *deadlocks;
	struct execution *execution;
	uint32_t count;
	struct {
		struct analysed_process *process;
		uint64_t question;
	} asked[16];
} agents;

static void keep_question(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks)
{
	(void)owner;
	(void)wants_stacks;
	if (agents.count == sizeof agents.asked / sizeof *agents.asked)
		return;
	agents.asked[agents.count].process = process;
	agents.asked[agents.count++].question = question;
}

static void ignore_stop(void *owner, struct analysed_process *const *stuck, uint32_t count)
{
	(void)owner;
	(void)stuck;
	(void)count;
}

static void answer_questions(void)
{
	const uint32_t count = agents.count;

	agents.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct executed_process *process = executed_process_of(agents.execution,
		                                                             agents.asked[i].process);
		struct thread_state states[4] = {{0}};
		struct check_answer answer = {.question = agents.asked[i].question, .threads = states};

		for (size_t j = 0; process && j < process->threads.count && answer.thread_count < 4; j++)
			if (process->threads.items[j])
				states[answer.thread_count++] = (struct thread_state){
					.thread = (uint32_t)j,
					.is_in_call = process->threads.items[j]->blocked != BLOCKED_NOT,
					.is_asleep = process->threads.items[j]->blocked == BLOCKED_NOT};
		deadlocks_answer(agents.deadlocks, agents.asked[i].process, &answer);
	}
}

static void judge(struct checked_run *run, struct findings_log *log)
{
	static const struct deadlock_callbacks callbacks = {.ask = keep_question, .stop = ignore_stop};

	agents.execution = run->execution;
	agents.count = 0;
	agents.deadlocks = deadlocks_new(run->execution, run->ordering, log, &callbacks);
}

static void pass_time(void)
{
	enum { START_MS = 1000, TICKS = 16, LONG_MS = 2000 };

	for (uint64_t i = 0; i < TICKS; i++) {
		deadlocks_tick(agents.deadlocks, START_MS + i * LOOK_MS, 0);
		answer_questions();
	}
	deadlocks_tick(agents.deadlocks, START_MS + LONG_MS, 0);
	deadlocks_end(agents.deadlocks);
}

static struct process_ends ends_of(bool finalized)
{
	struct process_ends ends = {.is_known = true, .all_finalized = true, .nobody_moves = true};

	ends_add_world(&ends, 1, PROCESSES);
	for (uint32_t rank = 0; !finalized && rank < PROCESSES; rank++)
		ends_add_exception(&ends, 1, rank, END_VANISHED | END_STUCK | (rank ? 0 : END_FIRST));
	return ends;
}

/* False: no more. */
static bool next_frame(struct cursor *in, uint8_t *process, uint8_t *kind, struct cursor *body)
{
	const uint8_t *head = take_bytes(in, 1 + FRAME_HEADER_BYTES);
	uint32_t length;

	if (!head)
		return false;
	memcpy(&length, head + 1, sizeof length);
	*process = head[0] % PROCESSES;
	*kind = head[FRAME_HEADER_BYTES];
	length = length ? length - 1 : 0;
	length = length < cursor_left(in) ? length : (uint32_t)cursor_left(in);
	body->at = take_bytes(in, length);
	body->end = body->at + length;
	body->bad = false;
	return true;
}

static void analyse(struct checked_run *run, struct cursor *in)
{
	struct analysed_process *processes[PROCESSES];
	bool is_silent[PROCESSES] = {false};
	uint8_t process, kind;
	struct cursor body;

	for (uint32_t rank = 0; rank < PROCESSES; rank++)
		processes[rank] = process_new(&run->known, 1, rank, PROCESSES);
	while (next_frame(in, &process, &kind, &body))
		if (!is_silent[process] && !analysis_frame(run, processes[process], kind, &body)) {
			is_silent[process] = true;
			analysis_process_gone(run, processes[process], END_FINALIZED);
		}
}

/* Definitions are frames, and what would be events are words of the ring. */
static void analyse_kept(struct checked_run *run, struct cursor *in)
{
	struct analysed_process *process = process_new(&run->known, 1, 0, PROCESSES);
	struct message_writer definitions = {0}, words = {0}, frames = {0};
	struct unsent_content content = {0};
	uint8_t teller, kind;
	struct cursor body;

	while (next_frame(in, &teller, &kind, &body)) {
		struct message_writer copy = cursor_rest(&body);
		if (kind != MESSAGE_EVENTS)
			frame_put(&definitions, kind, &copy);
		while (kind == MESSAGE_EVENTS && cursor_left(&body))
			put_word(&words, *take_bytes(&body, 1) * UINT64_C(4) + teller);
	}
	put_word(&words, 0); /* there is always one after the last */
	content.definitions = definitions.bytes;
	content.definition_bytes = definitions.size;
	content.words = (uint64_t *)words.bytes;
	content.word_count = words.size / sizeof(uint64_t) - 1;
	if (unsent_frames(&content, &frames)) {
		struct cursor at = writer_cursor(&frames);
		enum message_kind told;
		bool is_right = true;

		while (is_right && frame_next(&at, FRAME_BYTES_MAX, &told, &body))
			is_right = analysis_frame(run, process, told, &body);
	}
	writer_release(&frames);
	writer_release(&words);
	writer_release(&definitions);
}

/* Decoded data can be encoded, and is then the same. */
static void read_again(struct cursor *in)
{
	struct message_writer first = {0}, second = {0};
	struct check_finding *finding = finding_take(in), *again;
	struct cursor written;

	if (!finding)
		return;
	finding_put(&first, finding);
	written = writer_cursor(&first);
	again = finding_take(&written);
	if (!again || cursor_left(&written))
		give_up("a finding that was written cannot be read");
	finding_put(&second, again);
	if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
		give_up("a finding is another one after it was written and read");
	writer_release(&first);
	writer_release(&second);
	finding_free(finding);
	finding_free(again);
}

/* A proof cannot be guessed. */
static void shake_hands(const struct cursor *in)
{
	static const uint8_t key[CHECK_KEY_BYTES] = {1};
	struct cursor challenge = *in, response = *in, proof = *in;
	struct handshake listening = {0}, connecting;
	struct message_writer out = {0};

	if (handshake_answer(&listening, key, &challenge, &out) && handshake_accept(&listening, key, &proof))
		give_up("a proof was accepted that nobody made");
	if (handshake_begin(&connecting, &out) && handshake_prove(&connecting, key, &response, &out))
		give_up("a response was accepted that nobody made");
	writer_release(&out);
}

static void decode(struct cursor *in)
{
	struct cursor hello_at = *in, member_at = *in, ends_at = *in;
	struct check_hello hello;
	struct check_member member;
	struct process_ends ends;

	shake_hands(in);
	if (hello_take(&hello_at, &hello))
		hello_release(&hello);
	if (member_take(&member_at, &member) && member.size && member.rank >= member.size)
		give_up("a process was accepted that is not in its world");
	if (ends_take(&ends_at, &ends))
		ends_release(&ends);
	read_again(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor in = {.at = data + 1, .end = data + size};
	static const char *path;
	struct findings_log *log;
	struct checked_run *run;
	struct process_ends ends;

	if (!size)
		return 0;
	if ((*data & (OTHER_KINDS | FINALIZED)) == OTHER_KINDS) {
		decode(&in);
		return 0;
	}
	if (!path)
		path = scratch_path("findings.log");
	unlink(path);
	log = findings_log_open(AT_FDCWD, path, ignore_note);
	if (!log)
		give_up("cannot write findings");
	run = analysis_new(log);
	judge(run, log);
	if (*data & OTHER_KINDS)
		analyse_kept(run, &in);
	else
		analyse(run, &in);
	pass_time();
	ends = ends_of(*data & FINALIZED);
	analysis_end(run, &ends);
	analysis_free(run);
	deadlocks_free(agents.deadlocks);
	ends_release(&ends);
	findings_log_end(log);
	return 0;
}
