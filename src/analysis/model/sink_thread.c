#include "analysis/model/sink_thread.h"

#include "base/array.h"
#include "base/memory.h"
#include "trace/reader.h"

#include <pthread.h>
#include <stdlib.h>

enum { BATCHES = 8, BATCH_ITEMS = 1024, BATCH_BLOCKS = 32 };

struct sink_item {
	enum { ITEM_ROWS, ITEM_BEGIN, ITEM_MESSAGE, ITEM_SENT, ITEM_COLLECTIVE, ITEM_CALL } kind;
	struct occurrence call; /* of all but rows */
	union {
		struct {
			struct row_block *block;
			uint32_t call_count, phase_count; /* its first mentions */
		};
		struct event event; /* of a call that begins or is over */
		struct {
			struct occurrence send, post;
			bool is_probed;
		};
		struct collective_end end;
	};
};

struct sink_batch {
	struct sink_item items[BATCH_ITEMS];
	uint32_t count, block_count;
	/* First mentions of all its blocks. */
	ARRAY(const struct call_semantics *) calls;
	ARRAY(struct phase_mention) phases;
	struct row_block *used[BATCH_BLOCKS]; /* returned by the sink */
	uint32_t used_count;
};

struct sink_thread {
	struct row_sink face;
	const struct row_sink *sink;
	pthread_t thread;
	struct sink_batch *batches; /* a ring */
	struct {
		struct row_block *items[BATCHES * BATCH_BLOCKS];
		uint32_t count;
	} spare[RELATIONS_END];
	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t changed;
	uint64_t put, done; /* batches */
	bool is_over;
};

/* In the sink's thread */

static void run_rows(const struct row_sink *sink, struct sink_batch *batch, const struct sink_item *item,
                     struct first_mentions *first)
{
	struct row_block *used;

	first->call_count = item->call_count;
	first->phase_count = item->phase_count;
	used = sink->rows(sink->context, first, item->block);
	if (used)
		batch->used[batch->used_count++] = used;
	first->calls += item->call_count;
	first->phases += item->phase_count;
}

static void run_batch(const struct row_sink *sink, struct sink_batch *batch)
{
	struct first_mentions first = {.calls = batch->calls.items, .phases = batch->phases.items};

	for (uint32_t i = 0; i < batch->count; i++) {
		struct sink_item *item = &batch->items[i];
		switch (item->kind) {
		case ITEM_ROWS:
			run_rows(sink, batch, item, &first);
			break;
		case ITEM_BEGIN:
			sink->begin(sink->context, &item->call, &item->event);
			break;
		case ITEM_MESSAGE:
			sink->message(sink->context, &item->call,
			              &(struct completed_message){&item->send, &item->post, item->is_probed});
			break;
		case ITEM_SENT:
			sink->sent(sink->context, &item->call,
			           &(struct completed_message){.send = &item->send, .post = &item->post});
			break;
		case ITEM_COLLECTIVE:
			sink->collective(sink->context, &item->call, &item->end);
			break;
		case ITEM_CALL:
			sink->call(sink->context, &item->call, &item->event);
			break;
		}
	}
}

static void *run_sink(void *context)
{
	struct sink_thread *apart = context;

	pthread_mutex_lock(&apart->lock);
	for (;;) {
		while (apart->done == apart->put && !apart->is_over)
			pthread_cond_wait(&apart->changed, &apart->lock);
		if (apart->done == apart->put)
			break;
		pthread_mutex_unlock(&apart->lock);
		run_batch(apart->sink, &apart->batches[apart->done % BATCHES]);
		pthread_mutex_lock(&apart->lock);
		apart->done++;
		pthread_cond_signal(&apart->changed);
	}
	pthread_mutex_unlock(&apart->lock);
	return NULL;
}

/* In the replay's thread */

static struct sink_batch *batch_at_hand(const struct sink_thread *apart)
{
	return &apart->batches[apart->put % BATCHES];
}

/* Used blocks are filled again. */
static void empty_batch(struct sink_thread *apart, struct sink_batch *batch)
{
	for (uint32_t i = 0; i < batch->used_count; i++) {
		enum relation relation = batch->used[i]->relation;
		apart->spare[relation].items[apart->spare[relation].count++] = batch->used[i];
	}
	batch->count = batch->block_count = batch->used_count = 0;
	batch->calls.count = batch->phases.count = 0;
}

static void hand_over_batch(struct sink_thread *apart)
{
	pthread_mutex_lock(&apart->lock);
	apart->put++;
	pthread_cond_signal(&apart->changed);
	while (apart->put - apart->done == BATCHES)
		pthread_cond_wait(&apart->changed, &apart->lock);
	pthread_mutex_unlock(&apart->lock);
	empty_batch(apart, batch_at_hand(apart));
}

static struct sink_item *add_item(struct sink_thread *apart)
{
	struct sink_batch *batch = batch_at_hand(apart);

	if (batch->count == BATCH_ITEMS || batch->block_count == BATCH_BLOCKS) {
		hand_over_batch(apart);
		batch = batch_at_hand(apart);
	}
	return &batch->items[batch->count++];
}

static void keep_begin(void *context, struct occurrence *call, const struct event *event)
{
	struct sink_item *item = add_item(context);

	item->kind = ITEM_BEGIN;
	item->call = *call;
	item->event = *event;
}

static void keep_message(void *context, const struct occurrence *call,
                         const struct completed_message *message)
{
	struct sink_item *item = add_item(context);

	item->kind = ITEM_MESSAGE;
	item->call = *call;
	item->send = *message->send;
	item->post = *message->post;
	item->is_probed = message->is_probed;
}

static void keep_sent(void *context, const struct occurrence *call, const struct completed_message *message)
{
	struct sink_item *item = add_item(context);

	item->kind = ITEM_SENT;
	item->call = *call;
	item->send = *message->send;
	item->post = *message->post;
}

static void keep_collective(void *context, const struct occurrence *call, const struct collective_end *end)
{
	struct sink_item *item = add_item(context);

	item->kind = ITEM_COLLECTIVE;
	item->call = *call;
	item->end = *end;
}

static void keep_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct sink_item *item = add_item(context);

	item->kind = ITEM_CALL;
	item->call = *call;
	item->event = *event;
}

static uint64_t find_position(void *context, const struct occurrence *call, const struct event *event)
{
	const struct sink_thread *apart = context;

	return apart->sink->position(apart->sink->context, call, event);
}

static struct row_block *keep_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct sink_thread *apart = context;
	enum relation relation = block->relation;
	struct sink_item *item = add_item(apart);
	struct sink_batch *batch = batch_at_hand(apart);

	item->kind = ITEM_ROWS;
	item->block = block;
	item->call_count = first->call_count;
	item->phase_count = first->phase_count;
	batch->block_count++;
	for (uint32_t i = 0; i < first->call_count; i++)
		array_add(&batch->calls, first->calls[i]);
	for (uint32_t i = 0; i < first->phase_count; i++)
		array_add(&batch->phases, first->phases[i]);
	return apart->spare[relation].count ? apart->spare[relation].items[--apart->spare[relation].count]
	                                    : NULL;
}

static void end_sink(void *context)
{
	struct sink_thread *apart = context;

	pthread_mutex_lock(&apart->lock);
	apart->put++;
	apart->is_over = true;
	pthread_cond_signal(&apart->changed);
	pthread_mutex_unlock(&apart->lock);
	pthread_join(apart->thread, NULL);
	if (apart->sink->end)
		apart->sink->end(apart->sink->context);
}

struct sink_thread *sink_thread_new(const struct row_sink *sink)
{
	struct sink_thread *apart;

	if (!sink->call || (sink->begin && !sink->position))
		return NULL;
	apart = memory_new(1, sizeof *apart);
	apart->sink = sink;
	apart->face = *sink;
	apart->face.context = apart;
	apart->face.position = sink->position ? find_position : NULL;
	apart->face.begin = sink->begin ? keep_begin : NULL;
	apart->face.message = sink->message ? keep_message : NULL;
	apart->face.sent = sink->sent ? keep_sent : NULL;
	apart->face.collective = sink->collective ? keep_collective : NULL;
	apart->face.call = keep_call;
	apart->face.rows = keep_rows;
	apart->face.end = end_sink;
	apart->batches = memory_new(BATCHES, sizeof *apart->batches);
	pthread_mutex_init(&apart->lock, NULL);
	pthread_cond_init(&apart->changed, NULL);
	if (pthread_create(&apart->thread, NULL, run_sink, apart) == 0)
		return apart;
	sink_thread_free(apart);
	return NULL;
}

const struct row_sink *sink_thread_sink(const struct sink_thread *apart)
{
	return &apart->face;
}

void sink_thread_free(struct sink_thread *apart)
{
	if (!apart)
		return;
	for (uint32_t i = 0; i < BATCHES; i++) {
		empty_batch(apart, &apart->batches[i]);
		array_release(&apart->batches[i].calls);
		array_release(&apart->batches[i].phases);
	}
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		for (uint32_t j = 0; j < apart->spare[i].count; j++)
			row_block_free(apart->spare[i].items[j]);
	pthread_cond_destroy(&apart->changed);
	pthread_mutex_destroy(&apart->lock);
	free(apart->batches);
	free(apart);
}
