/* Processes that are still writing a part: under `tarry exec` there is nobody who waits for them. */
#ifndef TARRY_CLI_WRITERS_H
#define TARRY_CLI_WRITERS_H

/* The number of a process on this machine that has one of these parts open; 0: there is none that can be seen. */
long writers_find(const char *parts);

#endif
