#include "analysis/engine/run_figures.h"

#include "analysis/engine/compile.h"
#include "analysis/model/processes.h"
#include "calls/calls.h"

/* Clocks */

void figures_at_once(const struct analysis_session *session, double figures[RUN_FIGURES_END])
{
	const struct clocks *clocks = session->time->clocks;
	double first = 0, second = 0;
	uint32_t first_line = UINT32_MAX;

	figures[RUN_PROCESSES] = (double)session->reader->process_count;
	figures[RUN_NODES] = session->nodes->count;
	/* The maximum difference of two clocks is the sum of their errors. */
	for (uint32_t i = 0; i < session->reader->process_count; i++) {
		double here = clocks_uncertainty_of(clocks, &session->reader->processes[i], i);
		bool is_first = clocks->line_of[i] == first_line;
		if (here > first) {
			second = is_first ? second : first;
			first = here;
			first_line = clocks->line_of[i];
		} else if (here > second && !is_first) {
			second = here;
		}
	}
	figures[RUN_UNCERTAINTY] = first + second;
}

/* Surveys */

/* The paradigms of the named functions: one bit for each. */
static uint32_t named(const struct expr *expr)
{
	const struct call_info *call;
	uint32_t bits = 0;

	if (!expr)
		return 0;
	if (expr->kind == EXPR_LITERAL && expr->type.base == TYPE_FUNCTION) {
		call = call_find(expr->text);
		return 1u << (!call || !call_is_pgas(call) ? PARADIGM_MPI
		              : call_is_shmem(call)        ? PARADIGM_SHMEM
		                                           : PARADIGM_UPC);
	}
	for (uint32_t i = 0; i < expr->arg_count; i++)
		bits |= named(expr->args[i]);
	return bits;
}

/* According to the conditions on its members, and on their members. */
static uint32_t type_names(const struct event_type *type)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < type->member_count; i++)
		bits |= named(type->members[i].where) | type_names(type->members[i].type);
	return bits;
}

bool survey_concerns(const struct problem *survey, const struct reader *reader)
{
	uint32_t bits = type_names(survey->type);
	static const uint32_t concerned[PARADIGMS_END] = {
		[PARADIGM_MPI] = 1u << PARADIGM_MPI,
		[PARADIGM_UPC] = 1u << PARADIGM_UPC,
		[PARADIGM_BOTH] = 1u << PARADIGM_MPI | 1u << PARADIGM_UPC,
		[PARADIGM_SHMEM] = 1u << PARADIGM_SHMEM,
		[PARADIGM_MPI_SHMEM] = 1u << PARADIGM_MPI | 1u << PARADIGM_SHMEM,
	};

	return !bits || bits & concerned[paradigm_of(reader)];
}
