/* Limits for findings, set by the user: "late-sender>5%", "mpi.barrier-wait>=0.5s", "Load Imbalance > 10 %",
 * "any>10%".
 *
 *	struct gate gate;
 *	TRY(gate_parse("late-sender>5%", &gate));
 *	TRY(gate_check(&gate, book));                 fails for an unknown name
 *	if (gate_is_crossed(&gate, report, &sentence)) …
 *	else if (gate_obstacle(&gate, report)) …      the trace cannot answer the question
 *	gate_release(&gate);
 *
 * A name is the id of a finding, with or without its paradigm, or its name in the report without the variant,
 * which means all findings of that name. `any` applies to each kind of finding separately. Only findings that
 * the report shows count. A limit refers to the savings or, if these are not predictable, to the time that
 * all processes lose; the same holds for shares. */
#ifndef TARRY_OUTPUT_REPORT_GATE_H
#define TARRY_OUTPUT_REPORT_GATE_H

#include "output/report/report.h"

struct gate {
	char *name; /* in lower case, with hyphens in place of blanks */
	bool or_equal;
	bool is_share;
	double limit;     /* from 0 to 1, or ns */
	const char *word; /* as the user wrote it; borrowed */
};

enum status gate_parse(const char *word, struct gate *gate) MUST_CHECK;
enum status gate_check(const struct gate *gate, const struct rulebook *book) MUST_CHECK;
/* True if the limit is exceeded; adds a sentence for each such finding. */
bool gate_is_crossed(const struct gate *gate, const struct report *report, struct text *sentence);
/* The reason why a limit that is not exceeded may still not be kept; NULL: it is kept. */
const struct trust_reason *gate_obstacle(const struct gate *gate, const struct report *report);
void gate_release(struct gate *gate);

#endif
