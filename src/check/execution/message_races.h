/* Message races: receives with MPI_ANY_SOURCE that received one message although one of another process could
 * have arrived instead.
 *
 * Receive R of process p received the message of send S. It could have received that of send S' of another
 * process if the envelopes match, if no receive that p posted before R received it, and if S' does not happen
 * after R was matched. R is proven to be matched by an event of a process: R is complete; a later receive is
 * complete that received a message that R would have taken, or that would have taken S rather than a later
 * message of the same process; or a synchronous send to one of these is complete. And if an earlier receive
 * of p would have taken S', it must have been able to get its own message before R.
 *
 * R is evaluated when it is settled: complete, and every earlier receive with MPI_ANY_SOURCE and a common
 * tag is matched. Until then, messages of later receives are kept. Of settled receives of one call,
 * between two pending receives, the last ones of two sources are enough: a send that races with an older
 * one races with these. */
#ifndef TARRY_CHECK_EXECUTION_MESSAGE_RACES_H
#define TARRY_CHECK_EXECUTION_MESSAGE_RACES_H

#include "check/execution/ordering_state.h"

enum {
	RACE_PROOFS = 4,
	CHANNEL_RECEIVES_MAX = 1024, /* with more, the oldest are dropped */
	CHANNEL_TAKEN_MAX = 65536,
};

struct taken_message {
	uint64_t receive_number;    /* of the receive that took it, in its process */
	struct analysed_call *call; /* the send's, kept; NULL: none */
	struct ordered_process *source;
	uint64_t number; /* of the send in its process */
	int32_t tag;
	struct ordered_moment begin;
	int32_t posted_source, posted_tag; /* of its receive; -1: any */
	uint64_t over_count;               /* number of the event when its receive was complete; 0: not yet */
	uint64_t sent_count; /* the same of the sender's event, if the send is synchronous; 0: not yet */
};

struct race_proof {
	struct ordered_process *process;
	uint64_t count;
};

/* A receive or matched probe. */
struct wildcard_receive {
	uint64_t number;
	struct analysed_call *call; /* kept */
	int32_t source,
		tag; /* -1: any; with a source it is never evaluated, but may take messages of others */
	bool is_over, is_settled, is_reported;
	bool is_late; /* scratch: it gets its message only after another receive */
	struct taken_message taken;
	struct ordered_process *blocked_source; /* its messages from this number on go to other receives */
	uint64_t blocked_number;
	uint32_t proof_count;
	struct race_proof proofs[RACE_PROOFS];
};

/* The receives of a process on a communicator, from its first receive with a wildcard on. */
struct race_channel {
	struct ordered_process *process;
	uint64_t comm;                             /* identity */
	struct ordered_operations pending;         /* receives without a message, in the order of posting */
	ARRAY(struct wildcard_receive *) receives; /* by number */
	size_t first_unsettled;                    /* in receives */
	ARRAY(struct taken_message) taken;         /* by receives after an unsettled one */
};

/* The end of a synchronous send. */
struct race_end {
	struct ordered_process *source;
	uint64_t number; /* of the send */
	int32_t tag;
	uint64_t receive_number;     /* of the receive that it proves to be matched */
	struct ordered_moment taken; /* the beginning of that receive */
	uint64_t count;              /* number of the event of the sender */
};

/* Of a process, for a communicator. */
struct race_channel *race_channel_get(struct ordered_process *process, uint64_t comm);
/* Another execution had these; the earliest receive comes first. */
void race_receive_resume(struct race_channel *channel, struct wildcard_receive *receive);
void race_receive_free(struct ordering *ordering, struct wildcard_receive *receive);
void taken_message_release(struct ordering *ordering, struct taken_message *message);
void races_prove(struct ordered_process *receiver, uint64_t comm, const struct race_end *end);

/* For matched messages: the first receive that could really have taken the message, because its process has
 * not reported its message yet. */
const struct executed_operation *races_first_taker(const struct executed_operation *send,
                                                   const struct executed_operation *receive);
void races_began(struct ordering *ordering, struct executed_operation *operation);
void races_matched(struct ordering *ordering, struct executed_operation *send,
                   struct executed_operation *receive);
void races_over(struct ordering *ordering, struct executed_operation *operation);
void races_freed(struct ordering *ordering, struct executed_operation *operation);
/* All members have freed the communicator. */
void races_comm_freed(struct ordering *ordering, struct ordered_process *process, uint64_t comm);
/* Sends that nobody received. */
void races_end(struct ordering *ordering);
void races_release(struct ordering *ordering, struct ordered_process *process);

/* race_reports.c: one finding for each place of a receive */

enum { RACE_SENDS = 14 /* in a finding, besides the receive and its message */ };

/* A place of the program with racing receives. */
struct race_place {
	struct analysed_call *receive, *taken; /* of the first race found there; kept */
	uint64_t times;                        /* number of racing receives */
	bool differs; /* some messages come from different calls, or have different data */
	uint32_t send_count;
	struct analysed_call *sends[RACE_SENDS]; /* possible other messages, each of another place; kept */
	uint64_t send_places[RACE_SENDS];
};

struct race_reports {
	struct map places; /* place of the receive to its number */
	struct map pairs;  /* texts of a receive and its message: numbers */
	struct map known;  /* such a number and the text of another message: the place has it */
	ARRAY(struct race_place) list;
};

struct race_reports *race_reports_new(void);
void race_reports_add(struct ordering *ordering, struct wildcard_receive *receive,
                      const struct taken_message *candidate);
/* Races that another execution found at this place. */
void race_reports_resume(struct ordering *ordering, const struct race_place *found);
void race_place_release(struct ordering *ordering, struct race_place *place);
void race_reports_write(struct ordering *ordering);
void race_reports_free(struct ordering *ordering);

#endif
