/* The thread of a UPC program that data goes to and comes from: whether there is one is the question of who is a master and
 * who are workers. It is known only when all events have been seen, and rules need the answer before the first, so this
 * is a pass of its own, which decodes only.
 *
 *	struct hub hub = find_hub(reader);
 *	if (hub.accesses && hub.own * 10 >= hub.accesses * 9) … hub.rank is at one end of most
 *
 * What counts, and what does not:
 *	one-sided accesses        each, unless both ends are one thread
 *	scatter                   from the root to each thread; gather: from each thread to the root
 *	other collectives         of all with all, so of nobody; a broadcast, which hands no work out, and a reduction say
 *	                          nothing
 *	shared scalars            do not count: UPC keeps them all on thread 0, so others' accesses to up to 16 bytes
 *	                          there are in every program
 *	places of both            a thread that does to itself at a place what others do to it there is one of them: that
 *	                          counts as an access without it; so it does if there are three threads, of which neighbours
 *	                          do at a place to the one in the middle what it does to them */
#ifndef TARRY_ANALYSIS_MODEL_HUB_H
#define TARRY_ANALYSIS_MODEL_HUB_H

#include "trace/reader.h"

struct hub {
	int32_t rank;          /* in the team of all threads; RANK_NULL: there are no accesses */
	uint64_t accesses;     /* that move data between threads */
	uint64_t own;          /* of these, with the hub at one end */
	uint32_t gives, takes; /* threads that it has data go to, and come from */
	/* Between barriers, of the thread that transfers data between threads in most of them; busy: those with transfers. */
	uint64_t phases, busy_phases;
	uint64_t
		two_way_phases; /* in which data goes to a thread and from it, of the thread with most of them */
};

/* Of a trace without UPC threads nothing is read. */
struct hub find_hub(struct reader *reader);

#endif
