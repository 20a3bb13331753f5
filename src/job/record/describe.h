/* What the trace says of the process and where it ran. */
#ifndef TARRY_JOB_RECORD_DESCRIBE_H
#define TARRY_JOB_RECORD_DESCRIBE_H

#include <stddef.h>

/* Host, processors, program, arguments, environment (secrets left out). */
void describe_process(void);
/* What all processes of this machine have in common, into a buffer of this size; "": not known. */
void describe_own_node(char *text, size_t size);

#endif
