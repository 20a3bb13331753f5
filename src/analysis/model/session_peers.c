#include "analysis/model/session_peers.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>

const char *const peers_step_names[STEPS_END] = {"open",   "read", "facts",    "prepare",
                                                 "replay", "sums", "findings", "rest"};

static uint64_t work_ns(const struct session_peers *peers)
{
	return clock_system_ns(CLOCK_THREAD_CPUTIME_ID) - peers->exchange_ns;
}

void peers_begin_step(struct session_peers *peers, enum peers_step step)
{
	uint64_t now = work_ns(peers);

	if (peers->step_began_ns)
		peers->step_ns[peers->step] += now - peers->step_began_ns;
	peers->step = step;
	peers->step_began_ns = step == STEPS_END ? 0 : now;
}

struct text *peers_blocks(const struct session_peers *peers)
{
	return memory_new(peers->count, sizeof(struct text));
}

void peers_free_blocks(const struct session_peers *peers, struct text *blocks)
{
	for (uint32_t i = 0; blocks && i < peers->count; i++)
		text_release(&blocks[i]);
	free(blocks);
}

struct text *peers_exchange(struct session_peers *peers, struct text *out)
{
	struct text *in = peers_blocks(peers);
	uint64_t before = clock_system_ns(CLOCK_THREAD_CPUTIME_ID);

	peers->exchange(peers->context, out, in);
	peers->exchange_ns += clock_system_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	peers->exchanges++;
	for (uint32_t i = 0; i < peers->count; i++) {
		peers->sent_bytes += i == peers->own ? 0 : out[i].length;
		peers->received_bytes += i == peers->own ? 0 : in[i].length;
	}
	peers_free_blocks(peers, out);
	return in;
}

static struct text *send_to(struct session_peers *peers, struct text *mine, uint32_t count)
{
	struct text *out = peers_blocks(peers);

	for (uint32_t i = 0; i < count; i++)
		if (mine->length)
			text_add_bytes(&out[i], mine->bytes, mine->length);
	text_release(mine);
	return peers_exchange(peers, out);
}

struct text *peers_share(struct session_peers *peers, struct text *mine)
{
	return send_to(peers, mine, peers->count);
}

struct text *peers_gather(struct session_peers *peers, struct text *mine)
{
	return send_to(peers, mine, 1);
}

static int64_t combined(enum peers_combination combination, int64_t a, int64_t b)
{
	int64_t sum;

	if (combination == PEERS_MIN)
		return a < b ? a : b;
	if (combination == PEERS_MAX)
		return a > b ? a : b;
	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void peers_combine(struct session_peers *peers, enum peers_combination combination, int64_t *values,
                   size_t count)
{
	struct text mine = {0};
	struct text *all;

	text_add_bytes(&mine, (const char *)values, count * sizeof *values);
	all = peers_share(peers, &mine);
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		for (size_t j = 0; j < count; j++) {
			int64_t value = 0;
			(void)UNPACK(&in, &value);
			values[j] = i ? combined(combination, values[j], value) : value;
		}
	}
	peers_free_blocks(peers, all);
}

bool peers_any(struct session_peers *peers, bool is_true)
{
	int64_t any = is_true;

	peers_combine(peers, PEERS_MAX, &any, 1);
	return any;
}
