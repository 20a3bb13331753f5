/* The kernel's view of the threads of this process: which of them could still call MPI, under
 * MPI_THREAD_MULTIPLE?
 *
 *	tasks_before_mpi();                   the threads of the program
 *	PMPI_Init_thread(…);
 *	tasks_after_mpi();                    new threads belong to MPI, or to the agent
 *	if (!task_is_asleep(thread->system_id) || !tasks_others_sleep(known, count))
 *		the process may still act
 *
* A thread sleeps if it waits without a time limit for another thread of the process: in pthread_join(), for
 * a condition variable, a semaphore or a mutex, or at an OpenMP barrier. If all threads of a process sleep, or
 * are in calls of MPI that never return, only a signal handler could wake them. A thread that computes,
 * polls, sleeps for a limited time or reads may still call MPI. */
#ifndef TARRY_JOB_CHECK_WIRE_TASKS_H
#define TARRY_JOB_CHECK_WIRE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void tasks_before_mpi(void);
void tasks_after_mpi(void);

/* The beginning of a file of the kernel about a thread, such as "status", by the thread's number in the kernel. */
bool task_file_read(int32_t system_id, const char *name, char *text, size_t room);

/* False if it does not sleep, or if this is unknown. */
bool task_is_asleep(int32_t system_id);

/* True if all other threads sleep, except `known` ones, the caller, and those of MPI and the agent. */
bool tasks_others_sleep(const int32_t *known, uint32_t count);

#endif
