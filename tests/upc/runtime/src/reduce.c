/* Reductions. They consist of other UPC calls, which are also reported to a tool. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

struct reduction {
	void *dst;
	const void *src;
	size_t elements;
	size_t block;
	size_t size;
	upc_flag_t flags;
	struct upcr_place at;
	void (*combine)(void *into, const void *value, const struct reduction *of);
	upc_op_t op;
	void (*function)(void);
};

/* The position of this thread's next element, and its number; false after the last. */
static bool next_own(const struct reduction *of, size_t *number, size_t *slot)
{
	size_t block = of->block ? of->block : of->elements;
	size_t threads = (size_t)segment->threads;

	for (; *number < of->elements; (*number)++) {
		size_t which = *number / block;

		if ((which + (size_t)thread_of((uint64_t)of->src)) % threads == (size_t)self.thread) {
			*slot = which / threads * block + *number % block;
			return true;
		}
	}
	return false;
}

static struct part *part_of(int thread)
{
	return &segment->parts[self.collective % RESULTS][thread];
}

static void add_to(struct part *part, const void *value, const struct reduction *of)
{
	if (part->is_there)
		of->combine(part->value, value, of);
	else
		memcpy(part->value, value, of->size);
	part->is_there = true;
}

static void work(const struct reduction *of)
{
	const char *from = on_thread((uint64_t)of->src, self.thread);
	struct part *part = part_of(self.thread);
	size_t number = 0;
	size_t slot;

	part->is_there = false;
	for (; next_own(of, &number, &slot); number++)
		add_to(part, from + slot * of->size, of);
	work_in_collective();
}

static void enter(const struct reduction *of, uint64_t receiver)
{
	enter_collective();
	if (of->flags & UPC_IN_ALLSYNC) {
		upcr_notify(of->at, false, 0);
		upcr_wait(of->at, false, 0);
	} else if (of->flags & UPC_IN_MYSYNC) {
		wait_for_threads(segment->entered, receiver);
	}
}

static void leave(const struct reduction *of)
{
	leave_collective();
	if (of->flags & UPC_OUT_ALLSYNC)
		wait_for_threads(segment->left, all_threads());
}

static void sum_up(const struct reduction *of)
{
	void *room = upcr_alloc(of->size, of->at);
	struct part sum = {.is_there = false};

	wait_for_threads(segment->worked, all_threads());
	for (int thread = 0; thread < segment->threads; thread++)
		if (part_of(thread)->is_there)
			add_to(&sum, part_of(thread)->value, of);
	memcpy(here((uint64_t)of->dst), sum.value, of->size);
	upcr_free(room, of->at);
}

static void reduce(const struct reduction *of)
{
	int root = thread_of((uint64_t)of->dst);

	enter(of, UINT64_C(1) << root);
	work(of);
	if (self.thread == root)
		sum_up(of);
	leave(of);
}

static void write_prefixes(const struct reduction *of, struct part *sum)
{
	const char *from = on_thread((uint64_t)of->src, self.thread);
	char *to = on_thread((uint64_t)of->dst, self.thread);
	size_t number = 0;
	size_t slot;

	for (; next_own(of, &number, &slot); number++) {
		add_to(sum, from + slot * of->size, of);
		memcpy(to + slot * of->size, sum->value, of->size);
	}
}

/* Each thread has at most one block: it needs the data on threads before it. */
static void prefix_reduce(const struct reduction *of)
{
	struct part sum = {.is_there = false};
	void *room;

	enter(of, 0);
	room = upcr_malloc(of->size, of->at);
	work(of);
	wait_for_threads(segment->worked, (UINT64_C(1) << self.thread) - 1);
	for (int thread = 0; thread < self.thread; thread++)
		if (part_of(thread)->is_there)
			add_to(&sum, part_of(thread)->value, of);
	write_prefixes(of, &sum);
	upcr_cfree(room, of->at);
	leave(of);
}

#define CASES_OF_ALL(type) \
	case UPC_ADD: \
		*a = (type)(*a + b); \
		break; \
	case UPC_MULT: \
		*a = (type)(*a * b); \
		break; \
	case UPC_MIN: \
		*a = *a < b ? *a : b; \
		break; \
	case UPC_MAX: \
		*a = *a > b ? *a : b; \
		break; \
	case UPC_LOGAND: \
		*a = (type)(*a != 0 && b != 0); \
		break; \
	case UPC_LOGOR: \
		*a = (type)(*a != 0 || b != 0); \
		break; \
	default: \
		if (of->function) \
			*a = ((type(*)(type, type))of->function)(*a, b);
#define CASES_OF_INTEGERS(type) \
	case UPC_AND: \
		*a = (type)(*a & b); \
		break; \
	case UPC_OR: \
		*a = (type)(*a | b); \
		break; \
	case UPC_XOR: \
		*a = (type)(*a ^ b); \
		break;
#define COMBINE(letters, type, ...) \
	static void combine##letters(void *into, const void *value, const struct reduction *of) \
	{ \
		type *a = into; \
		type b = *(const type *)value; \
\
		switch (of->op) { \
			__VA_ARGS__ \
			CASES_OF_ALL(type) \
		} \
	}
#define COMBINE_INTEGER(letters, type) COMBINE(letters, type, CASES_OF_INTEGERS(type))

COMBINE_INTEGER(C, signed char)
COMBINE_INTEGER(UC, unsigned char)
COMBINE_INTEGER(S, short)
COMBINE_INTEGER(US, unsigned short)
COMBINE_INTEGER(I, int)
COMBINE_INTEGER(UI, unsigned)
COMBINE_INTEGER(L, long)
COMBINE_INTEGER(UL, unsigned long)
COMBINE(F, float)
COMBINE(D, double)
COMBINE(LD, long double)

enum reduction_type {
	TYPE_C,
	TYPE_UC,
	TYPE_S,
	TYPE_US,
	TYPE_I,
	TYPE_UI,
	TYPE_L,
	TYPE_UL,
	TYPE_F,
	TYPE_D,
	TYPE_LD
};

#define DEFINE(name, tag, run, letters, type) \
	void name##letters(void *dst, const void *src, upc_op_t op, size_t elements, size_t block, \
	                   type (*function)(type, type), upc_flag_t flags, struct upcr_place at) \
	{ \
		void *func = (void *)function; \
\
		flags = normal_flags(flags); \
		START(tag, at, (void *)&dst, (void *)&src, op, elements, block, func, flags, \
		      TYPE_##letters); \
		run(&(struct reduction){dst, src, elements, block, sizeof(type), flags, at, \
		                        combine##letters, op, (void (*)(void))function}); \
		END(tag, at, (void *)&dst, (void *)&src, op, elements, block, func, flags, TYPE_##letters); \
	}
#define DEFINE_REDUCTION(letters, type) \
	DEFINE(upcr_all_reduce, GASP_UPC_ALL_REDUCE, reduce, letters, type) \
	DEFINE(upcr_all_prefix_reduce, GASP_UPC_ALL_PREFIX_REDUCE, prefix_reduce, letters, type)

UPCR_REDUCTIONS(DEFINE_REDUCTION)
