/* The agent for programs of OpenSHMEM: libtarry-preload.so calls it around each call (base/shmem_hooks.h). */
#ifndef TARRY_JOB_CHECK_SHMEM_AGENT_H
#define TARRY_JOB_CHECK_SHMEM_AGENT_H

#include <stdbool.h>

/* The process ends by exit(). True: shmem_init() has started MPI, and analysers know about the end. */
bool shmem_agent_exit(int code);

#endif
