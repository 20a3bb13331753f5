/* Copies between private and shared memory: at once, or finished by a later call. */
#include "runtime.h"

#include <string.h>

/* A system wakes threads a little late. The next transfer is shorter by that, so that many of them take as long as planned. */
static void pass_time(int thread, uint64_t bytes)
{
	static _Thread_local uint64_t overslept;
	uint64_t takes = transfer_ns(thread, bytes);
	uint64_t until = now_ns() + (takes > overslept ? takes - overslept : 0);

	if (takes == 0)
		return;
	sleep_until_ns(until);
	overslept = now_ns() - until;
}

void upcr_memget(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_UPC_MEMGET, at, dst, (void *)&src, bytes);
	memcpy(dst, here((uint64_t)src), bytes);
	pass_time(thread_of((uint64_t)src), bytes);
	END(GASP_UPC_MEMGET, at, dst, (void *)&src, bytes);
}

/* When this is over, the data is on its way; a fence waits for it. */
static void send_off(int thread)
{
	if (thread != self.thread)
		self.puts_until_ns = now_ns() + planted.put_ns;
}

void upcr_memput(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_UPC_MEMPUT, at, (void *)&dst, src, bytes);
	memcpy(here((uint64_t)dst), src, bytes);
	pass_time(thread_of((uint64_t)dst), bytes);
	send_off(thread_of((uint64_t)dst));
	END(GASP_UPC_MEMPUT, at, (void *)&dst, src, bytes);
}

static int other_end(const void *dst, const void *src)
{
	int to = thread_of((uint64_t)dst);

	return to == self.thread ? thread_of((uint64_t)src) : to;
}

void upcr_memcpy(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_UPC_MEMCPY, at, (void *)&dst, (void *)&src, bytes);
	memmove(here((uint64_t)dst), here((uint64_t)src), bytes);
	pass_time(other_end(dst, src), bytes);
	END(GASP_UPC_MEMCPY, at, (void *)&dst, (void *)&src, bytes);
}

void upcr_memset(void *dst, int byte, size_t bytes, struct upcr_place at)
{
	START(GASP_UPC_MEMSET, at, (void *)&dst, byte, bytes);
	memset(here((uint64_t)dst), byte, bytes);
	pass_time(thread_of((uint64_t)dst), bytes);
	END(GASP_UPC_MEMSET, at, (void *)&dst, byte, bytes);
}

/* The Berkeley-like runtime reports an element only if the thread cannot address it, or on request. */
static struct upcr_place place_of_element(struct upcr_place at)
{
#ifdef UPCR_BERKELEY
	if (!(at.report & UPCR_LOCAL))
		at.report = 0;
#endif
	return at;
}

void upcr_get(void *dst, const void *src, size_t bytes, bool is_relaxed, struct upcr_place at)
{
	at = place_of_element(at);
	START(GASP_UPC_GET, at, is_relaxed, dst, (void *)&src, bytes);
	memcpy(dst, here((uint64_t)src), bytes);
	pass_time(thread_of((uint64_t)src), bytes);
	END(GASP_UPC_GET, at, is_relaxed, dst, (void *)&src, bytes);
}

void upcr_put(void *dst, const void *src, size_t bytes, bool is_relaxed, struct upcr_place at)
{
	at = place_of_element(at);
	START(GASP_UPC_PUT, at, is_relaxed, (void *)&dst, src, bytes);
	memcpy(here((uint64_t)dst), src, bytes);
	send_off(thread_of((uint64_t)dst));
	if (!is_relaxed)
		upcr_fence();
	END(GASP_UPC_PUT, at, is_relaxed, (void *)&dst, src, bytes);
}

/* A handle is the time in ns when all has arrived; 0 is that of a copy that was over at once. */
static upc_handle_t handle_for(int thread, uint64_t bytes)
{
	uint64_t takes = transfer_ns(thread, bytes);

	return takes ? now_ns() + takes : 0;
}

upc_handle_t upcr_memget_nb(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	upc_handle_t handle;

	START(GASP_BUPC_NB_MEMGET_INIT, at, dst, (void *)&src, bytes);
	memcpy(dst, here((uint64_t)src), bytes);
	handle = handle_for(thread_of((uint64_t)src), bytes);
	END(GASP_BUPC_NB_MEMGET_INIT, at, dst, (void *)&src, bytes, (gasp_upc_nb_handle_t)handle);
	return handle;
}

upc_handle_t upcr_memput_nb(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	upc_handle_t handle;

	START(GASP_BUPC_NB_MEMPUT_INIT, at, (void *)&dst, src, bytes);
	memcpy(here((uint64_t)dst), src, bytes);
	handle = handle_for(thread_of((uint64_t)dst), bytes);
	END(GASP_BUPC_NB_MEMPUT_INIT, at, (void *)&dst, src, bytes, (gasp_upc_nb_handle_t)handle);
	return handle;
}

upc_handle_t upcr_memcpy_nb(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	upc_handle_t handle;

	START(GASP_BUPC_NB_MEMCPY_INIT, at, (void *)&dst, (void *)&src, bytes);
	memmove(here((uint64_t)dst), here((uint64_t)src), bytes);
	handle = handle_for(other_end(dst, src), bytes);
	END(GASP_BUPC_NB_MEMCPY_INIT, at, (void *)&dst, (void *)&src, bytes, (gasp_upc_nb_handle_t)handle);
	return handle;
}

static void add_implicit(int thread, uint64_t bytes)
{
	uint64_t arrives = now_ns() + transfer_ns(thread, bytes);

	if (arrives > self.copies_until_ns)
		self.copies_until_ns = arrives;
}

#ifdef UPCR_BERKELEY
#define IMPLICIT ((gasp_upc_nb_handle_t)-1)
#else
#define IMPLICIT NULL
#endif

void upcr_memget_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_BUPC_NB_MEMGET_INIT, at, dst, (void *)&src, bytes);
	memcpy(dst, here((uint64_t)src), bytes);
	add_implicit(thread_of((uint64_t)src), bytes);
	END(GASP_BUPC_NB_MEMGET_INIT, at, dst, (void *)&src, bytes, IMPLICIT);
}

void upcr_memput_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_BUPC_NB_MEMPUT_INIT, at, (void *)&dst, src, bytes);
	memcpy(here((uint64_t)dst), src, bytes);
	add_implicit(thread_of((uint64_t)dst), bytes);
	END(GASP_BUPC_NB_MEMPUT_INIT, at, (void *)&dst, src, bytes, IMPLICIT);
}

void upcr_memcpy_nbi(void *dst, const void *src, size_t bytes, struct upcr_place at)
{
	START(GASP_BUPC_NB_MEMCPY_INIT, at, (void *)&dst, (void *)&src, bytes);
	memmove(here((uint64_t)dst), here((uint64_t)src), bytes);
	add_implicit(other_end(dst, src), bytes);
	END(GASP_BUPC_NB_MEMCPY_INIT, at, (void *)&dst, (void *)&src, bytes, IMPLICIT);
}

/* A handle that was complete from the start is not reported. */
void upcr_sync(upc_handle_t handle, struct upcr_place at)
{
	if (handle == 0)
		return;
	START(GASP_UPC_NB_SYNC, at, (gasp_upc_nb_handle_t)handle);
	sleep_until_ns(handle);
	END(GASP_UPC_NB_SYNC, at, (gasp_upc_nb_handle_t)handle);
}

int upcr_sync_attempt(upc_handle_t handle, struct upcr_place at)
{
	int is_done;

	START(GASP_BUPC_NB_TRYSYNC, at, (gasp_upc_nb_handle_t)handle);
	is_done = now_ns() >= handle;
	END(GASP_BUPC_NB_TRYSYNC, at, (gasp_upc_nb_handle_t)handle, is_done);
	return is_done;
}

void upcr_synci(struct upcr_place at)
{
	START(GASP_UPC_NB_SYNC, at, IMPLICIT);
	sleep_until_ns(self.copies_until_ns);
	END(GASP_UPC_NB_SYNC, at, IMPLICIT);
}

int upcr_synci_attempt(struct upcr_place at)
{
	int is_done;

	START(GASP_BUPC_NB_TRYSYNC, at, IMPLICIT);
	is_done = now_ns() >= self.copies_until_ns;
	END(GASP_BUPC_NB_TRYSYNC, at, IMPLICIT, is_done);
	return is_done;
}
