/* What a launcher told each process of a job, and no other job: "pmix prterun-node-7@1", "hydra node:4711 0", "slurm 12.0". */
#ifndef TARRY_BASE_JOB_IDENTITY_H
#define TARRY_BASE_JOB_IDENTITY_H

#include <stddef.h>

enum { JOB_IDENTITY_MAX = 4096 };

/* Puts it into `text` (JOB_IDENTITY_MAX bytes) and returns its length; 0: no known launcher started this process. */
size_t job_identity(char *text);

#endif
