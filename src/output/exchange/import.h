/* Making a trace of another format. */
#ifndef TARRY_OUTPUT_EXCHANGE_IMPORT_H
#define TARRY_OUTPUT_EXCHANGE_IMPORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct import_job {
	const char *path;    /* of what is read */
	const char *output;  /* the trace to make, whole or not at all */
	bool plain;          /* what Tarry itself left in the archive is passed over, as other tools do */
	void (*alive)(void); /* called now and then, as long as something comes of the reading; may be NULL */
};

/* What was not understood, a sentence for each kind. */
struct import_report {
	uint64_t processes, threads, events;
	char **notes;
	size_t note_count;
};

void import_report_release(struct import_report *report);

#endif
