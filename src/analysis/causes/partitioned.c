#include "analysis/causes/partitioned.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

enum { SLOTS = 4096 };

struct partitioned_waits {
	struct partitioned_wait slots[SLOTS];
};

struct partitioned_waits *partitioned_waits_new(void)
{
	return memory_new(1, sizeof(struct partitioned_waits));
}

void partitioned_waits_free(struct partitioned_waits *waits)
{
	free(waits);
}

const struct partitioned_wait *partitioned_waits_add(struct partitioned_waits *waits,
                                                     const struct occurrence *send,
                                                     const struct occurrence *wait,
                                                     const struct occurrence *last)
{
	uint64_t hash = hash_word(send->semantics->number, (uint64_t)send->start);
	struct partitioned_wait *slot = &waits->slots[hash_fold(hash) % SLOTS];

	if (slot->send.semantics != send->semantics || slot->send.start != send->start)
		*slot = (struct partitioned_wait){.send = *send};
	if (wait)
		slot->wait = *wait;
	if (last)
		slot->last = *last;
	if (!slot->wait.semantics || !slot->last.semantics)
		return NULL;
	slot->send.semantics = NULL;
	return slot;
}
