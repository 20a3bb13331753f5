/* Collectives that move data. Their flags decide about waiting. With ALLSYNC all threads wait for all; otherwise a thread
 * waits for the senders of its data, and a sender of a gather with MYSYNC waits for the root. */
#include "runtime.h"

#include <string.h>

uint64_t all_threads(void)
{
	return ~UINT64_C(0) >> (64 - segment->threads);
}

static bool have_reached(const uint64_t *reached, uint64_t number, uint64_t threads)
{
	for (int thread = 0; thread < segment->threads; thread++)
		if ((threads >> thread & 1) && reached[thread] < number)
			return false;
	return true;
}

void wait_for_threads(const uint64_t *reached, uint64_t threads)
{
	lock_segment();
	while (!have_reached(reached, self.collective, threads))
		wait_for_change();
	unlock_segment();
}

static void reach(uint64_t *reached)
{
	lock_segment();
	reached[self.thread] = self.collective;
	tell_change();
	unlock_segment();
}

/* No thread may be so far ahead that it overwrites results that others have not read. */
void enter_collective(void)
{
	self.collective++;
	lock_segment();
	while (self.collective > RESULTS &&
	       !have_reached(segment->left, self.collective - RESULTS, all_threads()))
		wait_for_change();
	unlock_segment();
	reach(segment->entered);
}

void work_in_collective(void)
{
	reach(segment->worked);
}

void leave_collective(void)
{
	reach(segment->worked);
	reach(segment->left);
}

uint64_t result_of_first(uint64_t (*make)(const struct collective_call *), const struct collective_call *call)
{
	uint64_t result;

	enter_collective();
	if (self.thread == 0)
		segment->results[self.collective % RESULTS] = make(call);
	else
		wait_for_threads(segment->worked, 1);
	result = segment->results[self.collective % RESULTS];
	leave_collective();
	return result;
}

upc_flag_t normal_flags(upc_flag_t flags)
{
	if (!(flags & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC)))
		flags |= UPC_IN_ALLSYNC;
	if (!(flags & (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)))
		flags |= UPC_OUT_ALLSYNC;
	return flags;
}

/* `receiver`: the thread that must have arrived before this one may write to it, under MYSYNC. */
static void begin(upc_flag_t flags, uint64_t receiver)
{
	enter_collective();
	if (flags & UPC_IN_ALLSYNC)
		wait_for_threads(segment->entered, all_threads());
	else if (flags & UPC_IN_MYSYNC)
		wait_for_threads(segment->entered, receiver);
}

/* `senders`: whose data this thread gets. */
static void finish(upc_flag_t flags, uint64_t senders)
{
	work_in_collective();
	wait_for_threads(segment->worked, senders);
	leave_collective();
	if (flags & UPC_OUT_ALLSYNC)
		wait_for_threads(segment->left, all_threads());
}

static uint64_t only(int thread)
{
	return UINT64_C(1) << thread;
}

static void push(int thread, void *to, const void *from, size_t bytes)
{
	memmove(to, from, bytes);
	sleep_until_ns(now_ns() + transfer_ns(thread, bytes));
}

void upcr_all_broadcast(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at)
{
	int root = thread_of((uint64_t)src);

	flags = normal_flags(flags);
	START(GASP_UPC_ALL_BROADCAST, at, (void *)&dst, (void *)&src, bytes, flags);
	begin(flags, 0);
	for (int thread = 0; self.thread == root && thread < segment->threads; thread++)
		push(thread, on_thread((uint64_t)dst, thread), here((uint64_t)src), bytes);
	finish(flags, only(root));
	END(GASP_UPC_ALL_BROADCAST, at, (void *)&dst, (void *)&src, bytes, flags);
}

void upcr_all_scatter(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at)
{
	int root = thread_of((uint64_t)src);
	const char *from = here((uint64_t)src);

	flags = normal_flags(flags);
	START(GASP_UPC_ALL_SCATTER, at, (void *)&dst, (void *)&src, bytes, flags);
	begin(flags, 0);
	for (int thread = 0; self.thread == root && thread < segment->threads; thread++)
		push(thread, on_thread((uint64_t)dst, thread), from + (size_t)thread * bytes, bytes);
	finish(flags, only(root));
	END(GASP_UPC_ALL_SCATTER, at, (void *)&dst, (void *)&src, bytes, flags);
}

void upcr_all_gather(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at)
{
	int root = thread_of((uint64_t)dst);
	char *to = here((uint64_t)dst);

	flags = normal_flags(flags);
	START(GASP_UPC_ALL_GATHER, at, (void *)&dst, (void *)&src, bytes, flags);
	begin(flags, only(root));
	push(root, to + (size_t)self.thread * bytes, on_thread((uint64_t)src, self.thread), bytes);
	finish(flags, self.thread == root ? all_threads() : 0);
	END(GASP_UPC_ALL_GATHER, at, (void *)&dst, (void *)&src, bytes, flags);
}

void upcr_all_gather_all(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at)
{
	flags = normal_flags(flags);
	START(GASP_UPC_ALL_GATHER_ALL, at, (void *)&dst, (void *)&src, bytes, flags);
	begin(flags, 0);
	for (int thread = 0; thread < segment->threads; thread++)
		push(thread, (char *)on_thread((uint64_t)dst, thread) + (size_t)self.thread * bytes,
		     on_thread((uint64_t)src, self.thread), bytes);
	finish(flags, all_threads());
	END(GASP_UPC_ALL_GATHER_ALL, at, (void *)&dst, (void *)&src, bytes, flags);
}

void upcr_all_exchange(void *dst, const void *src, size_t bytes, upc_flag_t flags, struct upcr_place at)
{
	const char *from = on_thread((uint64_t)src, self.thread);

	flags = normal_flags(flags);
	START(GASP_UPC_ALL_EXCHANGE, at, (void *)&dst, (void *)&src, bytes, flags);
	begin(flags, 0);
	for (int thread = 0; thread < segment->threads; thread++)
		push(thread, (char *)on_thread((uint64_t)dst, thread) + (size_t)self.thread * bytes,
		     from + (size_t)thread * bytes, bytes);
	finish(flags, all_threads());
	END(GASP_UPC_ALL_EXCHANGE, at, (void *)&dst, (void *)&src, bytes, flags);
}

static int goes_to(const void *perm, int thread)
{
	int to;

	memcpy(&to, on_thread((uint64_t)perm, thread), sizeof(to));
	return to;
}

void upcr_all_permute(void *dst, const void *src, const void *perm, size_t bytes, upc_flag_t flags,
                      struct upcr_place at)
{
	int to = goes_to(perm, self.thread);
	int from = 0;

	while (goes_to(perm, from) != self.thread)
		from++;
	flags = normal_flags(flags);
	START(GASP_UPC_ALL_PERMUTE, at, (void *)&dst, (void *)&src, (void *)&perm, bytes, flags);
	begin(flags, only(to));
	push(to, on_thread((uint64_t)dst, to), on_thread((uint64_t)src, self.thread), bytes);
	finish(flags, only(from));
	END(GASP_UPC_ALL_PERMUTE, at, (void *)&dst, (void *)&src, (void *)&perm, bytes, flags);
}
