/* The shared segment: waits between threads, and each thread's heap of shared objects. */
#include "runtime.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <upc.h>

/* A pointer-to-shared: mark, number of the object, offset in it as if its blocks were consecutive. */
enum { MARK = 0x5a, MARK_SHIFT = 56, OBJECT_SHIFT = 40, ALIGNMENT = 64 };

struct segment *segment;
struct planted planted;
_Thread_local struct self self;

static char *heaps;

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void sleep_until_ns(uint64_t when)
{
	struct timespec until = {(time_t)(when / 1000000000), (long)(when % 1000000000)};

	while (when > now_ns() && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
		continue;
}

uint64_t transfer_ns(int thread, uint64_t bytes)
{
	if (thread == self.thread || planted.bytes_per_second <= 0)
		return 0;
	return (uint64_t)((double)bytes / planted.bytes_per_second * 1e9);
}

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

static void prepare(int threads, int threads_per_process)
{
	pthread_mutexattr_t mutex;
	pthread_condattr_t condition;

	segment->threads = threads;
	segment->threads_per_process = threads_per_process;
	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&segment->mutex, &mutex);
	pthread_condattr_init(&condition);
	pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&segment->changed, &condition);
	segment->static_object = object_new(1, sizeof(int), 0);
	atomic_store(&segment->is_ready, true);
}

/* Processes that are not each other's children meet in a file, which the launcher has made. */
static int segment_file(void)
{
	const char *path = getenv("UPC_STANDIN_SEGMENT");
	int file = path ? open(path, O_RDWR) : -1;

	if (path && file < 0)
		die(path);
	return file;
}

void segment_open(int threads, int threads_per_process, bool is_first)
{
	size_t head = (sizeof(*segment) + 0xffff) & ~(size_t)0xffff;
	size_t bytes = head + (size_t)threads * HEAP_BYTES;
	int file = segment_file();
	int flags = MAP_SHARED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);

	if (file >= 0 && ftruncate(file, (off_t)bytes) < 0)
		die("shared segment");
	segment = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
	if (segment == MAP_FAILED)
		die("shared segment");
	heaps = (char *)segment + head;
	if (is_first)
		prepare(threads, threads_per_process);
	while (!atomic_load(&segment->is_ready))
		usleep(1000);
}

void lock_segment(void)
{
	pthread_mutex_lock(&segment->mutex);
}

void unlock_segment(void)
{
	pthread_mutex_unlock(&segment->mutex);
}

void wait_for_change(void)
{
	pthread_cond_wait(&segment->changed, &segment->mutex);
}

void tell_change(void)
{
	pthread_cond_broadcast(&segment->changed);
}

static struct object *object_of(uint64_t shared_pointer)
{
	uint64_t number = shared_pointer >> OBJECT_SHIFT & 0xffff;

	if (shared_pointer >> MARK_SHIFT != MARK || segment->objects[number].block_bytes == 0) {
		fprintf(stderr, "upcr: thread %d: not a pointer-to-shared: %#jx\n", self.thread,
		        (uintmax_t)shared_pointer);
		abort();
	}
	return &segment->objects[number];
}

static uint64_t offset_in_object(uint64_t shared_pointer)
{
	return shared_pointer & ((UINT64_C(1) << OBJECT_SHIFT) - 1);
}

int thread_of(uint64_t shared_pointer)
{
	const struct object *object = object_of(shared_pointer);
	uint64_t block = offset_in_object(shared_pointer) / object->block_bytes;

	return (int)((block + (uint64_t)object->first_thread) % (uint64_t)segment->threads);
}

static uint64_t offset_in_heap(uint64_t shared_pointer)
{
	const struct object *object = object_of(shared_pointer);
	uint64_t offset = offset_in_object(shared_pointer);
	uint64_t turn = offset / object->block_bytes / (uint64_t)segment->threads;

	return object->offset + turn * object->block_bytes + offset % object->block_bytes;
}

void *here(uint64_t shared_pointer)
{
	return heaps + (size_t)thread_of(shared_pointer) * HEAP_BYTES + offset_in_heap(shared_pointer);
}

void *on_thread(uint64_t shared_pointer, int thread)
{
	return heaps + (size_t)thread * HEAP_BYTES + offset_in_heap(shared_pointer);
}

static uint64_t room_for(uint64_t bytes)
{
	uint64_t offset = segment->heap_used;

	if (bytes > HEAP_BYTES - offset || segment->objects_made == MAX_OBJECTS - 1) {
		fprintf(stderr, "upcr: thread %d: out of shared memory\n", self.thread);
		abort();
	}
	segment->heap_used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	return offset;
}

uint64_t object_new(uint64_t blocks, uint64_t block_bytes, int first_thread)
{
	uint64_t turns = (blocks + (uint64_t)segment->threads - 1) / (uint64_t)segment->threads;
	uint32_t number;
	uint64_t offset;

	if (blocks == 0 || block_bytes == 0)
		return 0;
	lock_segment();
	offset = room_for(turns * block_bytes);
	number = ++segment->objects_made;
	segment->objects[number] = (struct object){block_bytes, offset, segment->top_object, first_thread,
	                                           true};
	segment->top_object = number;
	unlock_segment();
	return (uint64_t)MARK << MARK_SHIFT | (uint64_t)number << OBJECT_SHIFT;
}

/* Room on top of the heap is used again; an object's number never is, as tools may ask for an object after its end. */
void object_free(uint64_t shared_pointer)
{
	if (shared_pointer == 0)
		return;
	lock_segment();
	object_of(shared_pointer)->is_live = false;
	while (segment->top_object && !segment->objects[segment->top_object].is_live) {
		segment->heap_used = segment->objects[segment->top_object].offset;
		segment->top_object = segment->objects[segment->top_object].below;
	}
	unlock_segment();
}

size_t upc_threadof(const void *object)
{
	return object ? (size_t)thread_of((uint64_t)object) : 0;
}

size_t upc_addrfield(const void *object)
{
	return object ? (size_t)offset_in_heap((uint64_t)object) + ALIGNMENT : 0;
}

size_t upc_phaseof(const void *object)
{
	return object ? (size_t)(offset_in_object((uint64_t)object) %
	                         object_of((uint64_t)object)->block_bytes)
	              : 0;
}
