#include "cli/scaling_input.h"

#include "analysis/whatif/whatif.h"
#include "cli/terminal.h"

struct scaling_run scaling_run_of_trace(const struct trace_analysis *analysed,
                                        const struct trace_analysis_options *options, struct arena *arena)
{
	struct whatif_scenario ideal = {.factors = FACTORS_IDEAL_NETWORK, .eager = EAGER_RECORDED};
	struct whatif *whatif;
	struct scaling_run run;

	progress_begin("predicting");
	whatif = whatif_new(analysed->analysis->session,
	                    &(struct whatif_options){.scenarios = &ideal,
	                                             .count = 1,
	                                             .source = analysed->source,
	                                             .estimates = analysed->analysis->estimates,
	                                             .causes = analysed->analysis->causes,
	                                             .uses_threads = options->jobs != 1});
	progress_end();
	run = scaling_run_of(analysed->report, whatif, arena);
	whatif_free(whatif);
	return run;
}
