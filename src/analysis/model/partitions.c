/* Partitioned sends: from the start of the request to the calls that made its partitions ready. Known when the request is started
 * again or freed, or at the end. Costs nothing in processes that make no such request. */
#include "analysis/model/follower.h"
#include "base/memory.h"

#include <stdlib.h>

/* One request for a partitioned send. */
struct prepared {
	int64_t request;
	const struct call_semantics *semantics; /* of the call that prepared it; NULL: it was freed */
	struct partitioned_send row;
	bool is_started;
};

struct sender {
	struct prepared *items; /* few */
	uint32_t count;
	bool has_any, is_lost;
};

struct partitions {
	struct row_writer *rows;
	struct sender *senders; /* by process */
	size_t sender_count;
};

static void *partitions_new(const struct replay_input *input)
{
	struct partitions *partitions;

	if (!wants_rows(input->rows, RELATION_PARTITIONED_SEND))
		return NULL;
	partitions = memory_new(1, sizeof *partitions);
	partitions->rows = input->rows;
	partitions->senders = memory_new(input->reader->process_count + 1, sizeof *partitions->senders);
	partitions->sender_count = input->reader->process_count;
	return partitions;
}

static bool makes_ready(const struct call_info *info)
{
	return info == &all_calls[CALL_Pready] || info == &all_calls[CALL_Pready_range] ||
	       info == &all_calls[CALL_Pready_list];
}

static bool wants_partitions(void *self, const struct call_semantics *semantics)
{
	struct partitions *partitions = self;
	struct sender *sender = &partitions->senders[semantics->process];

	if (!semantics->kind->info)
		return false;
	sender->has_any |= semantics->kind->info == &all_calls[CALL_Psend_init];
	return sender->has_any &&
	       (semantics->kind->info == &all_calls[CALL_Psend_init] || semantics->does & CALL_STARTS ||
	        makes_ready(semantics->kind->info) || semantics->kind->info == &all_calls[CALL_Request_free]);
}

static struct prepared *find_prepared(struct sender *sender, int64_t request)
{
	for (uint32_t i = 0; i < sender->count; i++)
		if (sender->items[i].request == request)
			return &sender->items[i];
	return NULL;
}

static void end(struct partitions *partitions, struct prepared *prepared)
{
	if (prepared->is_started && prepared->row.ready)
		write_row(partitions->rows, RELATION_PARTITIONED_SEND, &prepared->row);
	prepared->is_started = false;
}

static void prepare(struct partitions *partitions, struct sender *sender,
                    const struct call_semantics *semantics)
{
	struct prepared *prepared = find_prepared(sender, semantics->request);

	if (!prepared) {
		sender->items = memory_grow(sender->items, sender->count + 1u, sizeof *sender->items);
		prepared = &sender->items[sender->count++];
		*prepared = (struct prepared){.request = semantics->request};
	}
	end(partitions, prepared);
	prepared->semantics = semantics;
}

static void begin(struct partitions *partitions, struct prepared *prepared, const struct occurrence *call)
{
	if (!prepared || !prepared->semantics)
		return;
	end(partitions, prepared);
	prepared->is_started = true;
	prepared->row = (struct partitioned_send){.start = *call};
	prepared->row.start.semantics = prepared->semantics;
}

static void ready(struct prepared *prepared, const struct occurrence *call)
{
	if (!prepared || !prepared->is_started)
		return;
	if (!prepared->row.ready++)
		prepared->row.first = *call;
	prepared->row.last = *call;
}

static void let_go(struct partitions *partitions, struct prepared *prepared)
{
	if (!prepared)
		return;
	end(partitions, prepared);
	prepared->semantics = NULL;
}

static void follow_partitions(void *self, const struct occurrence *call, const struct event *event)
{
	struct partitions *partitions = self;
	const struct call_semantics *semantics = call->semantics;
	struct sender *sender = &partitions->senders[semantics->process];

	(void)event;
	if (sender->is_lost)
		return;
	if (semantics->kind->info == &all_calls[CALL_Psend_init]) {
		prepare(partitions, sender, semantics);
		return;
	}
	for (uint32_t i = 0; i < field_count(semantics->call); i++) {
		struct field field = field_at(semantics->call, i);
		struct prepared *prepared = field.key == FIELD_REQUEST ? find_prepared(sender, field.value)
		                                                       : NULL;
		if (semantics->does & CALL_STARTS)
			begin(partitions, prepared, call);
		else if (makes_ready(semantics->kind->info))
			ready(prepared, call);
		else
			let_go(partitions, prepared);
	}
}

static void lose_partitions(void *self, uint32_t process)
{
	struct partitions *partitions = self;

	partitions->senders[process].is_lost = true;
}

static void finish_partitions(void *self)
{
	struct partitions *partitions = self;

	for (size_t i = 0; i < partitions->sender_count; i++) {
		struct sender *sender = &partitions->senders[i];
		for (uint32_t j = 0; j < sender->count && !sender->is_lost; j++)
			end(partitions, &sender->items[j]);
		free(sender->items);
	}
	free(partitions->senders);
	free(partitions);
}

const struct follower partition_follower = {.new = partitions_new,
                                            .wants = wants_partitions,
                                            .call = follow_partitions,
                                            .lost = lose_partitions,
                                            .finish = finish_partitions};
