/* The analysis inside a job (`tarry run --analyze=in-job`): the protocol between the recorder and `tarry`.
 *
 * In MPI_Finalize each process of the job starts a helper, `tarry report --peer OWN/COUNT/PROCESSES NAME.tarry`, which analyses a part of the ranks (cli/in_job.h).
 * The helper does not use MPI. Over the socket IN_JOB_SOCKET it gives blocks of bytes to its process, which exchanges them with messages
 * (job/record/in_job.h):
 *
 *	helper to process:  COUNT sizes as uint64_t, then the blocks; or IN_JOB_END in place of the first size: it has finished
 *	process to helper:  COUNT sizes, then the blocks
 *
 * The first helper leaves the result in the folder of the parts. */
#ifndef TARRY_BASE_IN_JOB_H
#define TARRY_BASE_IN_JOB_H

#include <stdint.h>

enum { IN_JOB_SOCKET = 3 };
#define IN_JOB_END UINT64_MAX

/* Files in the folder of the parts. */
#define IN_JOB_PREFIX "in-job-"
#define IN_JOB_OPTIONS IN_JOB_PREFIX "options"   /* of `tarry report`, each with a zero byte after it */
#define IN_JOB_REPORT IN_JOB_PREFIX "report"     /* the output of the first helper … */
#define IN_JOB_MESSAGES IN_JOB_PREFIX "messages" /* … and its messages */
#define IN_JOB_RESULT IN_JOB_PREFIX "result"     /* written last: "EXIT-CODE PROCESSES" */

#endif
