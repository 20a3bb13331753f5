#include "output/findings/check_trust.h"

#include "base/text.h"
#include "output/findings/wording.h"

#include <inttypes.h>

enum { RUNS_SHOWN = 8 };

struct trust_builder {
	struct check_trust made;
	const struct check_run *run;
	enum check_language language;
	struct arena *arena;
};

static void add_reason(struct trust_builder *builder, const char *sentence)
{
	arena_add(builder->arena, builder->made.reasons, builder->made.reason_count, sentence);
}

static const char *word_of(const struct trust_builder *builder, enum findings_word word)
{
	return findings_word(word, builder->language);
}

static const char *number_text(const struct trust_builder *builder, uint64_t number)
{
	return arena_format(builder->arena, "%" PRIu64, number);
}

static void add_filled(struct trust_builder *builder, enum findings_word sentence, const char *first,
                       const char *second)
{
	add_reason(builder, fill_findings_word(sentence, builder->language, builder->arena, first, second));
}

static void judge_logs(struct trust_builder *builder)
{
	const struct check_run *run = builder->run;

	if (!run->logs.count)
		add_reason(builder, word_of(builder, WORD_NO_LOGS));
	else if (!run->processes.count)
		add_reason(builder, word_of(builder, WORD_NO_PROCESS));
	for (size_t i = 0; i < run->logs.count; i++) {
		const struct run_log *log = &run->logs.items[i];
		if (log->unread_bytes)
			add_filled(builder, WORD_DAMAGED, log->name, number_text(builder, log->unread_bytes));
		if (!log->has_end)
			add_filled(builder, log->is_alive ? WORD_LIVING_ANALYSER : WORD_LOST_ANALYSER,
			           log->name, "");
	}
}

/* "0-2, 7" of ranks that come in order. */
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

static void add_rank(struct rank_runs *ranks, uint32_t rank)
{
	if (!ranks->count || rank != ranks->last + 1) {
		end_run(ranks);
		ranks->first = rank;
	}
	ranks->last = rank;
	ranks->count++;
}

/* Processes in this state, in one sentence. */
static void judge_state(struct trust_builder *builder, uint32_t state, enum findings_word sentence)
{
	const struct check_run *run = builder->run;
	struct text text = {0};
	struct rank_runs ranks = {.out = &text};

	for (size_t i = 0; i < run->processes.count; i++)
		if (run->processes.items[i].state == state)
			add_rank(&ranks, run->processes.items[i].rank);
	end_run(&ranks);
	if (ranks.runs > RUNS_SHOWN)
		text_add(&text, ", ...");
	if (ranks.count)
		add_filled(builder, sentence,
		           arena_format(builder->arena, "%s%s",
		                        word_of(builder, ranks.count == 1 ? WORD_RANK : WORD_RANKS),
		                        text_get(&text)),
		           "");
	text_release(&text);
}

static void judge_processes(struct trust_builder *builder, enum job_end end)
{
	const struct check_run *run = builder->run;
	uint64_t expected = 0;

	for (size_t i = 0; i < run->processes.count; i++)
		if (!i || run->processes.items[i].world != run->processes.items[i - 1].world)
			expected += run->processes.items[i].size;
	builder->made.processes = (uint32_t)run->processes.count;
	if (expected > run->processes.count)
		add_filled(builder, WORD_MISSING, number_text(builder, expected - run->processes.count),
		           number_text(builder, expected));
	if (end == JOB_STOPPED)
		return; /* how they ended says nothing more */
	judge_state(builder, MEMBER_ENDED + END_VANISHED,
	            end == JOB_ENDED_BY_ERROR ? WORD_ENDED_BY_ERROR : WORD_VANISHED);
	judge_state(builder, MEMBER_ENDED + END_ABORTED,
	            end == JOB_ENDED_BY_ERROR ? WORD_ENDED_BY_MPI : WORD_ABORTED);
	judge_state(builder, MEMBER_ENDED + END_EXITED, WORD_EXITED);
	judge_state(builder, MEMBER_ENDED + END_UNCHECKED, WORD_UNCHECKED);
	judge_state(builder, MEMBER_CAME, WORD_STILL_RUNNING);
}

struct check_trust check_trust_of(const struct check_run *run, enum job_end end, enum check_language language,
                                  struct arena *arena)
{
	struct trust_builder builder = {.run = run, .language = language, .arena = arena};

	if (end == JOB_INTERRUPTED)
		add_reason(&builder, word_of(&builder, WORD_INTERRUPTED));
	if (end == JOB_STOPPED)
		add_reason(&builder, word_of(&builder, WORD_STOPPED));
	judge_logs(&builder);
	judge_processes(&builder, end);
	builder.made.is_complete = !builder.made.reason_count;
	return builder.made;
}
