/* Items of order_handover.c. One function describes the fields of an item, to write or to read them. */
#ifndef TARRY_CHECK_EXECUTION_ORDER_ARCHIVE_H
#define TARRY_CHECK_EXECUTION_ORDER_ARCHIVE_H

#include "check/execution/ordering_state.h"
#include "check/execution/wildcard_choices.h"

struct order_archive {
	struct ordering *ordering;
	uint64_t world;
	struct message_writer *out; /* NULL: it reads … */
	struct cursor *in;
	struct vector_clock *base; /* the last clock */
	bool is_lost; /* the item names a call or process that is not known: its analyser is gone */
};

enum order_item {
	ORDER_PROCESS = 1,   /* what it knows */
	ORDER_OPERATION = 2, /* that has begun */
	ORDER_RECEIVE = 3,   /* struct wildcard_receive */
	ORDER_TAKEN = 4,     /* struct taken_message */
	ORDER_PLACE = 5,     /* struct race_place */
	ORDER_CHOICE = 6,    /* struct wildcard_choice */
};

static inline bool archive_reads(const struct order_archive *archive)
{
	return !archive->out;
}

void archive_number(struct order_archive *archive, uint64_t *value);
void archive_small(struct order_archive *archive, uint32_t *value);
void archive_integer(struct order_archive *archive, int32_t *value);
void archive_flag(struct order_archive *archive, bool *value);
/* NULL: none. A call that is read is kept. */
void archive_call(struct order_archive *archive, struct analysed_call **call);

/* wildcard_choices.c: all choices of the process, each as an item. */
void choices_put(struct wildcard_choices *choices, const struct executed_process *process,
                 struct order_archive *archive, void (*end_item)(void *owner), void *owner);
/* False: invalid. */
bool choice_take(struct wildcard_choices *choices, const struct executed_process *process,
                 struct order_archive *archive);

#endif
