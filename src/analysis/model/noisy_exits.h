/* Threads that had no processor in a collective operation after all had come, by when they left it.
 *
 *	struct noisy_exits exits = {0};
 *	noisy_exits_add(&exits, end_ns, noise_ns);
 *	noisy_exits_sort(&exits);                        all are known
 *	int64_t ns = noisy_exits_until(&exits, end_ns);
 *	noisy_exits_release(&exits); */
#ifndef TARRY_ANALYSIS_MODEL_NOISY_EXITS_H
#define TARRY_ANALYSIS_MODEL_NOISY_EXITS_H

#include <stddef.h>
#include <stdint.h>

struct noisy_exits {
	struct noisy_exit {
		int64_t until;
		int64_t noise; /* once they are sorted: the longest up to here */
	} * items;
	size_t count, room;
};

void noisy_exits_add(struct noisy_exits *exits, int64_t until, int64_t noise);
void noisy_exits_sort(struct noisy_exits *exits);
/* The longest noise of one that left until then; 0: there is none. */
int64_t noisy_exits_until(const struct noisy_exits *exits, int64_t until);
void noisy_exits_release(struct noisy_exits *exits);

#endif
