#include "analysis/whatif/whatif.h"
#include "output/report/parts.h"
#include "output/scaling/scaling.h"

struct scaling_run scaling_run_of(const struct report *report, const struct whatif *whatif,
                                  struct arena *arena)
{
	const struct analysis *analysis = report->analysis;
	const struct counted_work *counted = &analysis->figures->counted;
	const struct hybrid_efficiency *hybrid = &analysis->figures->hybrid;
	const struct whatif_answer *ideal = &whatif->answers[0];
	struct scaling_run run = {.name = analysis->reader->path, .ranks = analysis->reader->process_count};
	scoped_text program = {0};

	add_programs(analysis->reader, SIZE_MAX, &program);
	run.program = arena_text(arena, text_get(&program));
	run.length_s = (double)analysis->figures->run->length_ns / 1e9;
	for (size_t i = 0; i < run.ranks; i++) {
		double computing_s = (double)analysis->figures->ranks[i].computing_ns / 1e9;

		run.computing_s += computing_s;
		run.longest_s = computing_s > run.longest_s ? computing_s : run.longest_s;
	}
	run.threads = hybrid->is_known ? hybrid->threads : run.ranks;
	run.openmp = hybrid->is_known ? hybrid->openmp : hybrid->has_teams ? 0 : 1;
	if (counted->instructions_per_cycle > 0 && counted->cycles_per_s > 0) {
		run.counted_s = (double)counted->computing_ns / 1e9;
		run.cycles = counted->cycles;
		run.instructions = counted->instructions;
	}
	if (ideal->doubt)
		run.doubt = whatif_doubt_texts[ideal->doubt];
	else
		run.ideal_length_s = (double)ideal->length_ns / 1e9;
	return run;
}
