/* The texts of a check with the values of a finding in place of {value}. Every finding also has:
 *
 *	{function}, {rank}          of its first call
 *	{other}, {other_rank}       of its second
 *	{last}                      the last number of those that {size} or {partitions} counts
 *
 * {value:one/# of many} is the first form if the value is 1, otherwise the second with the value in place of '#'.
 *
 * What the finding does not have becomes a question mark. */
#ifndef TARRY_OUTPUT_FINDINGS_MESSAGE_H
#define TARRY_OUTPUT_FINDINGS_MESSAGE_H

#include "base/text.h"
#include "check/protocol/finding.h"

void message_fill(struct text *out, const char *text, const struct check_finding *finding, const char *lang);

/* Values of communicators and datatypes that have no name say how they were made. */
#define MADE_BY "made by "

#endif
