/* The job analyses itself in MPI_Finalize (`tarry run --analyze=in-job`). Each process starts a helper, which analyses the parts (base/in_job.h). The
 * processes forward blocks of bytes between the helpers, as messages on a communicator of their own.
 *
* This happens when MPI_Finalize deletes the attributes of MPI_COMM_SELF, after the program's own callbacks, which may still communicate. No
 * process sends a message before all are known to be recorded (job/mpi/agreement.h). Processes sleep while others work.
 *
* If anything fails in any process, all processes stop and continue with MPI_Finalize. `tarry run` then finds no result and analyses the parts itself. */
#ifndef TARRY_JOB_RECORD_IN_JOB_H
#define TARRY_JOB_RECORD_IN_JOB_H

/* After MPI_Init. `end_recording` records MPI_Finalize and completes the part of this process; it returns false if there is nothing to analyse. */
void in_job_begin(int (*end_recording)(void));

#endif
