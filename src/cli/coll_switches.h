/* The switches above each node, for the processes of a job: lines "node switch switch ...", outermost first, in a file of the run's folder. A level counts
 * only if all processes of a job find theirs there. */
#ifndef TARRY_CLI_COLL_SWITCHES_H
#define TARRY_CLI_COLL_SWITCHES_H

/* Writes the file from the description of the machine, if that has switches. Prints an error and goes on without the file. */
void coll_switches_write(int folder);

#endif
