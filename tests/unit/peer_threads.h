/* Sessions in threads that exchange blocks through memory (analysis/model/session_peers.h).
 *
 *	struct peer_threads threads;
 *	peer_threads_run(&threads, 3, run, contexts, sizeof *contexts);      run(peers, context) in three threads */
#ifndef TARRY_TESTS_PEER_THREADS_H
#define TARRY_TESTS_PEER_THREADS_H

#include "analysis/model/session_peers.h"

#include <pthread.h>

enum { PEER_THREADS_MOST = 8 };

struct peer_threads {
	pthread_barrier_t barrier;
	const struct text *out[PEER_THREADS_MOST];
	struct peer_thread {
		struct peer_threads *all;
		struct session_peers peers;
		void (*run)(struct session_peers *peers, void *context);
		void *context;
		pthread_t thread;
	} threads[PEER_THREADS_MOST];
};

static inline void exchange_in_memory(void *context, const struct text *out, struct text *in)
{
	struct peer_thread *own = context;
	struct peer_threads *all = own->all;

	all->out[own->peers.own] = out;
	pthread_barrier_wait(&all->barrier);
	for (uint32_t i = 0; i < own->peers.count; i++)
		if (all->out[i][own->peers.own].length)
			text_add_bytes(&in[i], all->out[i][own->peers.own].bytes,
			               all->out[i][own->peers.own].length);
	pthread_barrier_wait(&all->barrier);
}

static inline void *peer_thread_main(void *context)
{
	struct peer_thread *own = context;

	own->run(&own->peers, own->context);
	return NULL;
}

static inline void peer_threads_run(struct peer_threads *all, uint32_t count,
                                    void (*run)(struct session_peers *peers, void *context), void *contexts,
                                    size_t size)
{
	pthread_barrier_init(&all->barrier, NULL, count);
	for (uint32_t i = 0; i < count; i++) {
		struct peer_thread *thread = &all->threads[i];
		*thread = (struct peer_thread){.all = all,
		                               .peers = {.own = i,
		                                         .count = count,
		                                         .context = thread,
		                                         .exchange = exchange_in_memory},
		                               .run = run,
		                               .context = (char *)contexts + i * size};
		assert_int_equal(pthread_create(&thread->thread, NULL, peer_thread_main, thread), 0);
	}
	for (uint32_t i = 0; i < count; i++)
		pthread_join(all->threads[i].thread, NULL);
	pthread_barrier_destroy(&all->barrier);
}

#endif
