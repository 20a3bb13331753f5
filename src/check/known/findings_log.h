/* The log file of an analyser. Each finding is written at once, so that it survives whatever happens
 * next. Equal findings of the same ranks are counted, and written again with their number, so readers
 * must add up `times`.
 *
 *	struct findings_log *log = findings_log_open(folder, "analyser-node1-4711.log", note);
 *	uint32_t number = findings_log_add(log, &finding);
 *	findings_log_repeat(log, number);
 *	findings_log_end(log);
 *
 * When the disk is full, findings are kept in memory, as many as fit into FINDINGS_KEPT bytes, and written
 * when there is room again. */
#ifndef TARRY_CHECK_KNOWN_FINDINGS_LOG_H
#define TARRY_CHECK_KNOWN_FINDINGS_LOG_H

#include "check/protocol/messages.h"

struct findings_log;

enum {
	FINDINGS_KEPT = 4 << 20,
	FINDING_VARIANTS = 1024, /* sets of ranks per finding; further ones are counted with the first */
};

/* NULL: errno. `note` gets messages about failed writes. Locked until it is closed, or the process ends. */
struct findings_log *findings_log_open(int folder, const char *name, void (*note)(const char *sentence));
uint32_t findings_log_add(struct findings_log *log, const struct check_finding *finding);
/* Another kind of frame: MEMBER. */
void findings_log_frame(struct findings_log *log, enum message_kind kind, const struct message_writer *body);
void findings_log_repeat(struct findings_log *log, uint32_t number);
/* Writes the counted findings. */
void findings_log_flush(struct findings_log *log);
/* Marks it as complete, closes and frees it. */
void findings_log_end(struct findings_log *log);

#endif
