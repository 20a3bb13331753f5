/* A call of OpenSHMEM as the agent sees it, and the state of OpenSHMEM in this process. Functions need the lock of the process. */
#ifndef TARRY_JOB_CHECK_SHMEM_SHMEM_CALL_H
#define TARRY_JOB_CHECK_SHMEM_SHMEM_CALL_H

#include "base/shmem_hooks.h"
#include "calls/calls.h"
#include "job/check/wire/agent_call.h"

/* In struct shmem_checked_call. */
struct shmem_call {
	struct agent_call call; /* the first member */
	const struct shmem_values *values;
	uint64_t access;   /* the number of its access that was reported to analysers; 0: none */
	bool is_set_wrong; /* the active set, or PE_root: other PEs know nothing of the call */
};

enum shmem_life { SHMEM_NOT_YET, SHMEM_ACTIVE, SHMEM_OVER };

struct checked_shmem {
	enum shmem_life life;
	int pe, pe_count;
	const char *heap; /* the first allocation: an offset from it is the same in all PEs */
};

extern struct checked_shmem checked_shmem __attribute__((visibility("hidden")));

/* The set of the PEs of a collective call. */
static inline struct shmem_set shmem_set_of(const struct shmem_call *c)
{
	return c->values->set.count ? c->values->set : (struct shmem_set){.count = checked_shmem.pe_count};
}

static inline bool shmem_is_collective(enum call_id id)
{
	return all_calls[id].pgas == PGAS_COLLECTIVE;
}

static inline bool shmem_is_access(enum call_id id)
{
	return all_calls[id].pgas == PGAS_ACCESS || all_calls[id].pgas == PGAS_ATOMIC;
}

static inline bool shmem_is_get(enum call_id id)
{
	return id == CALL_shmem_g || id == CALL_shmem_get || id == CALL_shmem_iget ||
	       id == CALL_shmem_get_nbi;
}

/* The name of the accessed symmetric object in the standard. */
static inline const char *shmem_object_name(enum call_id id)
{
	return shmem_is_get(id)                  ? "source"
	       : all_calls[id].pgas == PGAS_LOCK ? "lock"
	       : all_calls[id].pgas == PGAS_WAIT ? "ivar"
	                                         : "dest";
}

/* The arguments for findings, on the heap. */
char *shmem_argument_text(const struct agent_call *call);

#endif
