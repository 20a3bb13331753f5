#include "output/findings/check_trust.h"

#include "base/text.h"
#include "output/findings/wording.h"

#include <inttypes.h>

enum { RANKS_SHOWN = 8 };

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
			add_filled(builder, WORD_LOST_ANALYSER, log->name, "");
	}
}

static size_t add_rank(struct text *ranks, uint32_t rank, size_t count)
{
	if (count < RANKS_SHOWN)
		text_add(ranks, "%s%" PRIu32, count ? ", " : "", rank);
	return count + 1;
}

/* Processes in this state, in one sentence. */
static void judge_state(struct trust_builder *builder, uint32_t state, enum findings_word sentence)
{
	const struct check_run *run = builder->run;
	struct text ranks = {0};
	size_t count = 0;

	for (size_t i = 0; i < run->processes.count; i++)
		if (run->processes.items[i].state == state)
			count = add_rank(&ranks, run->processes.items[i].rank, count);
	if (count > RANKS_SHOWN)
		text_add(&ranks, ", %zu%s", count - RANKS_SHOWN, word_of(builder, WORD_MORE));
	if (count) {
		const char *who = arena_format(builder->arena, "%s%s",
		                               word_of(builder, count == 1 ? WORD_RANK : WORD_RANKS),
		                               text_get(&ranks));
		add_filled(builder, sentence, who, "");
	}
	text_release(&ranks);
}

static void judge_processes(struct trust_builder *builder)
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
	judge_state(builder, MEMBER_ENDED + END_VANISHED, WORD_VANISHED);
	judge_state(builder, MEMBER_ENDED + END_ABORTED, WORD_ABORTED);
	judge_state(builder, MEMBER_ENDED + END_EXITED, WORD_EXITED);
	judge_state(builder, MEMBER_CAME, WORD_STILL_RUNNING);
}

struct check_trust check_trust_of(const struct check_run *run, bool is_interrupted,
                                  enum check_language language, struct arena *arena)
{
	struct trust_builder builder = {.run = run, .language = language, .arena = arena};

	if (is_interrupted)
		add_reason(&builder, word_of(&builder, WORD_INTERRUPTED));
	judge_logs(&builder);
	judge_processes(&builder);
	builder.made.is_complete = !builder.made.reason_count;
	return builder.made;
}
