#include "output/findings/findings.h"

#include "base/text.h"
#include "language/language.h"

#include <inttypes.h>

enum { RUNS_SHOWN = 8 };

struct trust_builder {
	struct check_trust made;
	const struct check_run *run;
	const char *lang;
	struct arena *arena;
};

/* A sentence with values for "$1" and "$2". */
static void add_reason(struct trust_builder *builder, const char *sentence, const char *first,
                       const char *second)
{
	arena_add(builder->arena, builder->made.reasons, builder->made.reason_count,
	          filled_in(builder->arena, builder->lang, sentence, (const char *[]){first, second}));
}

static const char *number_text(const struct trust_builder *builder, uint64_t number)
{
	return arena_format(builder->arena, "%" PRIu64, number);
}

static void note_logs(struct trust_builder *builder)
{
	const struct check_run *run = builder->run;

	if (!run->logs.count)
		add_reason(builder, "no analyser wrote a log.", "", "");
	else if (!run->processes.count)
		add_reason(builder, "no process connected to the analyser.", "", "");
	for (size_t i = 0; i < run->logs.count; i++) {
		const struct run_log *log = &run->logs.items[i];
		if (log->unread_bytes)
			add_reason(builder, "'$1' is damaged: $2 bytes could not be read.", log->name,
			           number_text(builder, log->unread_bytes));
		if (!log->has_end)
			add_reason(
				builder,
				log->is_alive
					? "the analyser that writes '$1' is still running; look again when the job has ended."
					: "the analyser of '$1' died; findings that it had not yet written are missing.",
				log->name, "");
	}
}

/* "0-2, 7" for ranks in order. */
struct rank_runs {
	struct text *out;
	size_t count, runs;
	uint32_t first, last;
};

static void end_run(struct rank_runs *ranks)
{
	if (!ranks->count || ++ranks->runs > RUNS_SHOWN)
		return;
	text_add(ranks->out, "%s%" PRIu32, ranks->runs > 1 ? ", " : "", ranks->first);
	if (ranks->last > ranks->first)
		text_add(ranks->out, "-%" PRIu32, ranks->last);
}

/* Processes in this state, in one sentence. */
static void note_state(struct trust_builder *builder, uint32_t state, const char *sentence)
{
	const struct check_run *run = builder->run;
	scoped_text text = {0};
	struct rank_runs ranks = {.out = &text};

	for (size_t i = 0; i < run->processes.count; i++)
		if (run->processes.items[i].state == state) {
			uint32_t rank = run->processes.items[i].rank;

			if (!ranks.count || rank != ranks.last + 1) {
				end_run(&ranks);
				ranks.first = rank;
			}
			ranks.last = rank;
			ranks.count++;
		}
	end_run(&ranks);
	if (ranks.runs > RUNS_SHOWN)
		text_add(&text, ", ...");
	if (ranks.count)
		add_reason(builder, sentence,
		           arena_format(builder->arena, "%s%s",
		                        translate(builder->lang, ranks.count == 1 ? "rank " : "ranks "),
		                        text_get(&text)),
		           "");
}

static void note_processes(struct trust_builder *builder, enum job_end end)
{
	const struct check_run *run = builder->run;
	uint64_t expected = 0;

	for (size_t i = 0; i < run->processes.count; i++)
		if (!i || run->processes.items[i].world != run->processes.items[i - 1].world)
			expected += run->processes.items[i].size;
	builder->made.processes = (uint32_t)run->processes.count;
	if (expected > run->processes.count)
		add_reason(builder, "not checked: $1 of $2 processes.",
		           number_text(builder, expected - run->processes.count),
		           number_text(builder, expected));
	if (end == JOB_STOPPED)
		return; /* how they ended adds no information */
	note_state(
		builder, MEMBER_ENDED + END_VANISHED,
		end == JOB_ENDED_BY_ERROR
			? "ended without MPI_Finalize: $1; MPI may have ended the job because of an error below."
		: end == JOB_INTERRUPTED ? "ended without MPI_Finalize: $1."
					 : "ended without MPI_Finalize by a crash or kill: $1.");
	note_state(builder, MEMBER_ENDED + END_ABORTED,
	           end == JOB_ENDED_BY_ERROR ? "MPI ended the job because of an error below: $1."
	                                     : "MPI_Abort ended the job: $1.");
	note_state(builder, MEMBER_ENDED + END_EXITED, "ended without MPI_Finalize: $1.");
	note_state(builder, MEMBER_ENDED + END_UNCHECKED, "not checked to the end: $1.");
	note_state(builder, MEMBER_CAME,
	           "no end was recorded (still running, or the node or connection was lost): $1.");
}

struct check_trust check_trust_of(const struct check_run *run, enum job_end end, const char *lang,
                                  struct arena *arena)
{
	struct trust_builder builder = {.run = run, .lang = lang, .arena = arena};

	if (end == JOB_INTERRUPTED)
		add_reason(&builder,
		           "the job was ended from outside (by a user, the batch system or a time limit).",
		           "", "");
	if (end == JOB_STOPPED)
		add_reason(&builder, "a deadlock or a hang ended the run.", "", "");
	note_logs(&builder);
	note_processes(&builder, end);
	builder.made.is_complete = !builder.made.reason_count;
	return builder.made;
}
