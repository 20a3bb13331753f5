/* Channels and inboxes of messages, for messages.c. An inbox belongs to a member of a communicator:
 * messages sent to it, and its receives. Messages of a channel (communicator, source, destination and
 * tag) match in order. */
#ifndef TARRY_CHECK_EXECUTION_MESSAGE_CHANNELS_H
#define TARRY_CHECK_EXECUTION_MESSAGE_CHANNELS_H

#include "check/execution/execution_parts.h"

/* In the order of their begin. */
struct operation_list {
	struct executed_operation *first, *last;
};

struct message_channel {
	struct map_key key;
	struct message_inbox *inbox;
	struct operation_list sends, receives, probes; /* without a partner */
	uint64_t sent;                                 /* messages */
	/* Messages without an operation here, for the next receives; negative: receives, for the next
	 * messages. See learn_cancelled(). */
	int64_t surplus;
	bool is_unordered;   /* see note_order() */
	uint32_t sent_until; /* low bits: sends that begin later have higher numbers in their process */
};

/* Of a member of a communicator. */
struct message_inbox {
	struct operation_list sends;    /* without a partner: LIST_INBOX */
	struct operation_list open;     /* receives with a wildcard whose message is unknown … */
	struct operation_list provided; /* … and those of them that have a candidate */
	bool is_doubtful; /* a send and a receive could match, but one of those may have taken the send */
	uint32_t waiting; /* receives and probes in channels */
};

/* Lists */

static inline struct executed_operation *next_in(enum operation_list_kind kind,
                                                 const struct executed_operation *operation)
{
	return operation->links[kind].next;
}

static inline struct executed_operation *next_waiting(const struct executed_operation *operation)
{
	return next_in(LIST_WAITING, operation);
}

static inline void insert_in(enum operation_list_kind kind, struct operation_list *list,
                             struct executed_operation *operation)
{
	struct operation_links *links = &operation->links[kind];
	struct executed_operation *before = list->last;

	while (before && before->began > operation->began)
		before = before->links[kind].previous;
	links->previous = before;
	links->next = before ? before->links[kind].next : list->first;
	*(links->next ? &links->next->links[kind].previous : &list->last) = operation;
	*(before ? &before->links[kind].next : &list->first) = operation;
}

static inline void remove_from(enum operation_list_kind kind, struct operation_list *list,
                               struct executed_operation *operation)
{
	struct operation_links *links = &operation->links[kind];

	*(links->next ? &links->next->links[kind].previous : &list->last) = links->previous;
	*(links->previous ? &links->previous->links[kind].next : &list->first) = links->next;
	*links = (struct operation_links){0};
}

uint32_t receiver_place(const struct executed_operation *send); /* UINT32_MAX: no such rank */
/* The inbox of its receiver; NULL: no such rank. */
struct message_inbox *inbox_of(const struct executed_operation *operation);
/* NULL: no such rank. */
struct message_channel *channel_of(struct execution *execution, const struct executed_operation *operation);

#endif
