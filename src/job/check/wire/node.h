/* The folder of the run, and the analyser of this node, which the first process here starts (docs/check-protocol.md). */
#ifndef TARRY_JOB_CHECK_WIRE_NODE_H
#define TARRY_JOB_CHECK_WIRE_NODE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the settings. False: nothing is checked. */
bool node_settings(void);

enum { NODE_ADDRESSES_MAX = 1024 };

/* A socket connected to the analyser of this node, which is started if necessary, and its addresses. -1:
 * none; a note says why. */
int node_connect(char *addresses, size_t room);

#endif
