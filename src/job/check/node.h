/* The folder of the run, and the analyser of this node, which the first process here starts (docs/check-protocol.md). */
#ifndef TARRY_JOB_CHECK_NODE_H
#define TARRY_JOB_CHECK_NODE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Reads the settings. False: nothing is to be checked. */
bool node_settings(void);

/* A socket that is connected to the analyser of this node, which is started if nobody has done so. -1: there is none, and a note says why. */
int node_connect(void);

#pragma GCC visibility pop

#endif
