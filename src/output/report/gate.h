/* Limits that a user sets for what may be found: "late-sender>5%", "mpi.barrier-wait>=0.5s", "Load Imbalance > 10 %", "any>10%".
 *
 *	struct gate gate;
 *	TRY(gate_parse("late-sender>5%", &gate));
 *	TRY(gate_check(&gate, book));                 is there such a thing at all?
 *	if (gate_is_crossed(&gate, report, &sentence)) …
 *	else if (gate_obstacle(&gate, report)) …      the trace cannot answer that
 *	gate_release(&gate);
 *
 * A name is the id of a finding, with or without its paradigm, or its name in the report without the finer kind, which means all
 * findings that are called so. `any` is each kind of finding by itself. Only findings that the report shows count. A limit is one of the time that the run
 * would save, or if that is not predictable, of the time that all processes lose; shares likewise. */
#ifndef TARRY_OUTPUT_REPORT_GATE_H
#define TARRY_OUTPUT_REPORT_GATE_H

#include "output/report/report.h"

struct gate {
	char *name; /* in small letters, with hyphens for blanks */
	bool or_equal;
	bool is_share;
	double limit;     /* from 0 to 1, or ns */
	const char *word; /* as the user wrote it; lives as long as that */
};

enum status gate_parse(const char *word, struct gate *gate) MUST_CHECK;
enum status gate_check(const struct gate *gate, const struct rulebook *book) MUST_CHECK;
/* Adds a sentence for each limit that is crossed. */
bool gate_is_crossed(const struct gate *gate, const struct report *report, struct text *sentence);
/* The reason why it proves nothing that the limit is not crossed; NULL: it is kept. */
const struct trust_reason *gate_obstacle(const struct gate *gate, const struct report *report);
void gate_release(struct gate *gate);

#endif
