/* The profile as text: pieces of the page that `tarry report` prints. */
#ifndef TARRY_OUTPUT_REPORT_SUMMARY_H
#define TARRY_OUTPUT_REPORT_SUMMARY_H

#include "output/report/profile.h"
#include "output/report/sheet.h"

/* Three figures and how they are made. */
void add_efficiency(const struct sheet *sheet, const struct profile *profile);
/* All the rest: time, messages, who sends to whom. */
void add_summary(const struct sheet *sheet, struct report *report);
void add_matrix(const struct sheet *sheet, const struct profile *profile);

#endif
