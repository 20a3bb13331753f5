/* Fences of UPC: what a thread has begun to read and write elsewhere since it was last sure that all of it is done.
 *
 *	struct thread_fences *fences = thread_fences_new(process_count, teller);
 *	if (thread_fences_want(role))                    each distinct call
 *		thread_fences_call(fences, &call);       each call of it
 *	thread_fences_finish(fences); */
#ifndef TARRY_ANALYSIS_MODEL_THREAD_FENCES_H
#define TARRY_ANALYSIS_MODEL_THREAD_FENCES_H

#include "analysis/model/relations.h"

struct thread_fences;

struct thread_fences *thread_fences_new(size_t process_count, const struct teller *teller);
bool thread_fences_want(const struct role *role);
void thread_fences_call(struct thread_fences *fences, const struct occurrence *call);
/* Calls of the process may be missing here. */
void thread_fences_blind(struct thread_fences *fences, uint32_t process);
void thread_fences_finish(struct thread_fences *fences);

#endif
