#include "analysis/model/partitions.h"

#include "analysis/model/role.h"
#include "base/memory.h"

#include <stdlib.h>

/* One request for a partitioned send. */
struct prepared {
	int64_t request;
	const struct role *role; /* of the call that prepared it; NULL: it was freed */
	struct partitioned_send told;
	bool is_started;
};

struct sender {
	struct prepared *items; /* few */
	uint32_t count;
	bool has_any, is_blind;
};

struct partitions {
	const struct teller *teller;
	struct sender *senders; /* by process */
	size_t sender_count;
};

struct partitions *partitions_new(size_t process_count, const struct teller *teller)
{
	struct partitions *partitions = memory_new(1, sizeof *partitions);

	partitions->teller = teller;
	partitions->senders = memory_new(process_count + 1, sizeof *partitions->senders);
	partitions->sender_count = process_count;
	return partitions;
}

static bool makes_ready(const struct call_info *info)
{
	return info == &all_calls[CALL_Pready] || info == &all_calls[CALL_Pready_range] ||
	       info == &all_calls[CALL_Pready_list];
}

bool partitions_want(struct partitions *partitions, const struct role *role)
{
	struct sender *sender = &partitions->senders[role->process];

	if (!role->kind->info)
		return false;
	sender->has_any |= role->kind->info == &all_calls[CALL_Psend_init];
	return sender->has_any &&
	       (role->kind->info == &all_calls[CALL_Psend_init] || role->does & ROLE_STARTS ||
	        makes_ready(role->kind->info) || role->kind->info == &all_calls[CALL_Request_free]);
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
	if (prepared->is_started && prepared->told.ready)
		partitions->teller->partitioned(partitions->teller->context, &prepared->told);
	prepared->is_started = false;
}

static void prepare(struct partitions *partitions, struct sender *sender, const struct role *role)
{
	struct prepared *prepared = find_prepared(sender, role->request);

	if (!prepared) {
		sender->items = memory_grow(sender->items, sender->count + 1u, sizeof *sender->items);
		prepared = &sender->items[sender->count++];
		*prepared = (struct prepared){.request = role->request};
	}
	end(partitions, prepared);
	prepared->role = role;
}

static void begin(struct partitions *partitions, struct prepared *prepared, const struct occurrence *call)
{
	if (!prepared || !prepared->role)
		return;
	end(partitions, prepared);
	prepared->is_started = true;
	prepared->told = (struct partitioned_send){.start = *call};
	prepared->told.start.role = prepared->role;
}

static void ready(struct prepared *prepared, const struct occurrence *call)
{
	if (!prepared || !prepared->is_started)
		return;
	if (!prepared->told.ready++)
		prepared->told.first = *call;
	prepared->told.last = *call;
}

static void let_go(struct partitions *partitions, struct prepared *prepared)
{
	if (!prepared)
		return;
	end(partitions, prepared);
	prepared->role = NULL;
}

void partitions_call(struct partitions *partitions, const struct occurrence *call)
{
	const struct role *role = call->role;
	struct sender *sender = &partitions->senders[role->process];

	if (sender->is_blind)
		return;
	if (role->kind->info == &all_calls[CALL_Psend_init]) {
		prepare(partitions, sender, role);
		return;
	}
	for (uint32_t i = 0; i < field_count(role->call); i++) {
		struct field field = field_at(role->call, i);
		struct prepared *prepared = field.key == FIELD_REQUEST ? find_prepared(sender, field.value)
		                                                       : NULL;
		if (role->does & ROLE_STARTS)
			begin(partitions, prepared, call);
		else if (makes_ready(role->kind->info))
			ready(prepared, call);
		else
			let_go(partitions, prepared);
	}
}

void partitions_blind(struct partitions *partitions, uint32_t process)
{
	partitions->senders[process].is_blind = true;
}

void partitions_finish(struct partitions *partitions)
{
	for (size_t i = 0; i < partitions->sender_count; i++) {
		struct sender *sender = &partitions->senders[i];
		for (uint32_t j = 0; j < sender->count && !sender->is_blind; j++)
			end(partitions, &sender->items[j]);
		free(sender->items);
	}
	free(partitions->senders);
	free(partitions);
}
