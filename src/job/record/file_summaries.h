/* Summaries of the files that the process uses, if the user asked for them (--io). libtarry-file-calls.so counts from the moment at which
 * the recorder is loaded, so that files are included that the program reads before MPI_Init. The summaries are written at the end. The files
 * of all UPC threads of a process belong to the first one. */
#ifndef TARRY_JOB_RECORD_FILE_SUMMARIES_H
#define TARRY_JOB_RECORD_FILE_SUMMARIES_H

#pragma GCC visibility push(hidden)

/* After MPI_Init: states in the trace that files are counted. */
void file_summaries_describe(void);
/* Ends counting and writes all summaries. The caller holds the lock of the process. */
void file_summaries_write(void);
/* In a forked child. */
void file_summaries_abandon(void);

#pragma GCC visibility pop

#endif
