/* What the trace says of the process and where it ran. */
#ifndef TARRY_RECORD_DESCRIBE_H
#define TARRY_RECORD_DESCRIBE_H

/* Host, processors, program, arguments, environment (secrets left out). */
void describe_process(void);
/* What the counter shows now, and the world's time: at the start and again at the end. */
void describe_clock(void);

#endif
