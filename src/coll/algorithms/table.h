/* The functions of all algorithms, each in the file of its operation. To add one, write its two functions and add a row in
 * coll/choice/algorithms.def. */
#ifndef TARRY_COLL_ALGORITHMS_TABLE_H
#define TARRY_COLL_ALGORITHMS_TABLE_H

#include "coll/algorithms/collective.h"

/* Rows may use the same functions. */
#define COLL_ALGORITHM_ROW(id, operation, name, run, applies, summary) \
	bool applies(const struct coll_comm *, const struct coll_call *, size_t bytes); \
	int run(struct coll_comm *, const struct coll_call *);
#include "coll/choice/algorithms.def"
#undef COLL_ALGORITHM_ROW

/* An algorithm's functions, if one expression of `c`, `call` and `bytes` is enough. */
#define COLL_APPLIES(name, condition) \
	bool name(const struct coll_comm *c, const struct coll_call *call, size_t bytes) \
	{ \
		(void)c, (void)call, (void)bytes; \
		return condition; \
	}
#define COLL_RUNS(name, expression) \
	int name(struct coll_comm *c, const struct coll_call *call) \
	{ \
		(void)c, (void)call; \
		return expression; \
	}

#endif
