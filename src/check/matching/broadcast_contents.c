/* Broadcasts whose data arrived otherwise than the root sent it. What differs is reported at the end: until then the members of a communicator may turn out to
 * have called different functions, so that their broadcasts are not the same. */
#include "check/matching/collectives.h"

#include <inttypes.h>

/* That wait for members; members with several threads tell nothing of their data, and keep others waiting to the end. */
enum { AWAITED_MAX = 1 << 16 };

static bool is_root(const struct analysed_call *call)
{
	return call->root == ROOT_SELF || (call->root >= 0 && !call->member->comm->size[1] &&
	                                   (uint32_t)call->root == call->member->rank);
}

static uint32_t await(struct broadcast_contents *broadcasts, struct map_key key)
{
	uint32_t *slot = map_put(&broadcasts->by_number, key);

	if (*slot != MAP_NONE)
		return *slot;
	if (broadcasts->unused.count) {
		*slot = broadcasts->unused.items[--broadcasts->unused.count];
	} else {
		*slot = (uint32_t)broadcasts->awaited.count;
		array_add(&broadcasts->awaited, (struct awaited_broadcast){0});
	}
	return *slot;
}

static void drop(struct checked_run *run, struct awaited_broadcast *awaited)
{
	if (awaited->root.call)
		call_drop(&run->known, awaited->root.call);
	for (size_t i = 0; i < awaited->received.count; i++)
		call_drop(&run->known, awaited->received.items[i].call);
	array_release(&awaited->received);
	*awaited = (struct awaited_broadcast){0};
}

static void count_changed(struct checked_run *run, const struct shared_content *root,
                          const struct shared_content *received, uint64_t number)
{
	struct broadcast_contents *broadcasts = &run->broadcasts;

	for (size_t i = 0; i < broadcasts->changed.count; i++) {
		struct changed_broadcast *changed = &broadcasts->changed.items[i];
		if (changed->root == root->call && changed->call == received->call) {
			changed->times++;
			return;
		}
	}
	if (broadcasts->changed.count < CHANGED_MAX)
		array_add(&broadcasts->changed, ((struct changed_broadcast){.root = call_keep(root->call),
		                                                            .call = call_keep(received->call),
		                                                            .bytes = root->bytes,
		                                                            .number = number,
		                                                            .times = 1}));
}

/* Another number of bytes is a mismatch of the calls. */
static void compare(struct checked_run *run, const struct awaited_broadcast *awaited,
                    const struct shared_content *received, uint64_t number)
{
	if (!awaited->has_two_roots && awaited->root.hash && awaited->root.bytes == received->bytes &&
	    awaited->root.hash != received->hash)
		count_changed(run, &awaited->root, received, number);
}

static void root_arrives(struct checked_run *run, struct awaited_broadcast *awaited,
                         const struct shared_content *root, uint64_t number)
{
	if (awaited->root.call) {
		awaited->has_two_roots = true;
		return;
	}
	awaited->root = *root;
	call_keep(root->call);
	for (size_t i = 0; i < awaited->received.count; i++) {
		compare(run, awaited, &awaited->received.items[i], number);
		call_drop(&run->known, awaited->received.items[i].call);
	}
	array_release(&awaited->received);
}

void broadcast_content(struct checked_run *run, struct analysed_call *call, uint64_t number, uint64_t bytes,
                       uint64_t hash)
{
	const struct shared_content content = {.call = call, .bytes = bytes, .hash = hash};
	const struct map_key key = map_key(call->member->comm->number, number);
	struct awaited_broadcast *awaited;
	uint32_t slot;

	if (run->broadcasts.awaited.count - run->broadcasts.unused.count >= AWAITED_MAX &&
	    !map_find(&run->broadcasts.by_number, key))
		return;
	slot = await(&run->broadcasts, key);
	awaited = &run->broadcasts.awaited.items[slot];

	if (is_root(call)) {
		root_arrives(run, awaited, &content, number);
	} else if (hash && awaited->root.call) {
		compare(run, awaited, &content, number);
	} else if (hash) {
		array_add(&awaited->received, content);
		call_keep(call);
	}
	if (++awaited->arrived < comm_members(call->member->comm))
		return;
	drop(run, awaited);
	map_remove(&run->broadcasts.by_number, key);
	array_add(&run->broadcasts.unused, slot);
}

void check_changed_broadcasts(struct checked_run *run)
{
	for (size_t i = 0; i < run->broadcasts.changed.count; i++) {
		const struct changed_broadcast *changed = &run->broadcasts.changed.items[i];
		struct report_draft report;
		if (changed->root->member->comm->is_broken)
			continue;
		report_begin(&report, CHECK_COLLECTIVE_DATA_CHANGED);
		report.finding.times = changed->times;
		report_call(&report, changed->root, NOTE_SENT);
		report_call(&report, changed->call, NOTE_RECEIVED);
		report_value(&report, "comm", "%s", changed->root->member->comm->name);
		report_value(&report, "bytes", "%" PRIu64, changed->bytes);
		report_value(&report, "number", "%" PRIu64, changed->number);
		report_end(&report, run->log);
	}
}

void broadcasts_free(struct checked_run *run)
{
	struct broadcast_contents *broadcasts = &run->broadcasts;

	for (size_t i = 0; i < broadcasts->awaited.count; i++)
		drop(run, &broadcasts->awaited.items[i]);
	for (size_t i = 0; i < broadcasts->changed.count; i++) {
		call_drop(&run->known, broadcasts->changed.items[i].root);
		call_drop(&run->known, broadcasts->changed.items[i].call);
	}
	array_release(&broadcasts->awaited);
	array_release(&broadcasts->unused);
	array_release(&broadcasts->changed);
	map_release(&broadcasts->by_number);
}
