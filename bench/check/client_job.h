/* A job without programs, for benchmarks of analysers: starts the analysers of some nodes in their own folder and
 * connects agents to them.
 *
 *	job.size = 1000;
 *	job_start("build/bin/tarry-analyser", 1);
 *	for (uint32_t rank = 0; rank < job.size; rank++)
 *		fds[rank] = job_connect(rank);
 *	job_tell(fds[0], MESSAGE_EVENTS, &body);
 *	…
 *	while (job_is_analysed())
 *		usleep(5000);
 *	job_each_log(look, NULL);
 *	job_remove();
 *
 * Any failure ends the program with exit code 2 and a message. */
#ifndef TARRY_BENCH_CHECK_CLIENT_JOB_H
#define TARRY_BENCH_CHECK_CLIENT_JOB_H

#include "check/protocol/messages.h"

enum { NODES_MAX = 64 };

struct client_job {
	char folder[64];
	uint8_t key[CHECK_KEY_BYTES];
	uint32_t size; /* processes */
	uint32_t nodes;
	char addresses[NODES_MAX][1024]; /* of their analysers */
};

extern struct client_job job;

_Noreturn void die(const char *what);
double seconds(void);

/* Raises the limit of open files to the maximum. */
void job_start(const char *analyser, uint32_t nodes);
/* The agent of a rank, up to HELLO. Ranks are assigned to nodes in turn. */
int job_connect(uint32_t rank);

void send_bytes(int fd, const void *bytes, size_t size);
/* The next frame; the caller frees it. */
uint8_t *read_frame(int fd, enum message_kind *kind, size_t *size);
/* Releases the body. */
void job_tell(int fd, enum message_kind kind, struct message_writer *body);
/* Call sites of a process with one thread. */
extern struct check_place job_stack[1];

/* Logs, whose names contain the pid of the analyser. */
void job_each_log(void (*look)(int file, long pid, void *owner), void *owner);
bool job_is_analysed(void);
/* The next finding of a log; NULL: none. */
struct check_finding *log_finding(int file);
void job_remove(void);

#endif
