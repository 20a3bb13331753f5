/* Findings of an analyser in its file, each as soon as it was found: they are there whatever happens next. Equal ones of the same ranks are
 * counted, and written once more with how often that was; so readers add up `times`.
 *
 *	struct findings_log *log = findings_log_open(folder, "analyser-node1-4711.log", note);
 *	uint32_t number = findings_log_add(log, &finding);
 *	findings_log_repeat(log, number);
 *	findings_log_end(log);
 *
 * When the disk is full, findings are kept in memory, as many as fit into FINDINGS_KEPT bytes, and written when there is room again. */
#ifndef TARRY_CHECK_KNOWN_FINDINGS_LOG_H
#define TARRY_CHECK_KNOWN_FINDINGS_LOG_H

#include "check/protocol/messages.h"

struct findings_log;

enum {
	FINDINGS_KEPT = 4 << 20,
	FINDING_VARIANTS = 1024, /* of ranks, of one finding; further ones are counted with the first */
};

/* NULL: errno. `note` gets what cannot be written. Locked until it ends, or the process does. */
struct findings_log *findings_log_open(int folder, const char *name, void (*note)(const char *sentence));
uint32_t findings_log_add(struct findings_log *log, const struct check_finding *finding);
/* Anything else that belongs there: MEMBER. */
void findings_log_frame(struct findings_log *log, enum message_kind kind, const struct message_writer *body);
void findings_log_repeat(struct findings_log *log, uint32_t number);
/* Writes what was counted since. */
void findings_log_flush(struct findings_log *log);
/* It is complete: closed and freed. */
void findings_log_end(struct findings_log *log);

#endif
