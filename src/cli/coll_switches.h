/* The switches above each node, for the processes of a job: lines "node switch switch ...", outermost first, in a file of the run's folder. A level counts
 * only if all processes of a job find theirs there. */
#ifndef TARRY_CLI_COLL_SWITCHES_H
#define TARRY_CLI_COLL_SWITCHES_H

/* From what is known of the machine here; no file if it has no switches. Whatever goes wrong is said, and the job goes on without. */
void coll_switches_write(int folder);

#endif
