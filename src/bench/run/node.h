/* What this process can tell of the machine it runs on. Plain data, to be sent to others. */
#ifndef TARRY_BENCH_RUN_NODE_H
#define TARRY_BENCH_RUN_NODE_H

#include <stdint.h>

/* What cannot be found out is "unknown", or 0. Texts too long for their place are cut. */
struct node_info {
	char host[64];
	char processor[96];  /* its model */
	char processors[48]; /* how many the system has, and cores */
	char kernel[96];     /* "Linux 6.1.0-18-arm64" */
	char governor[32];   /* of the frequency of the first processor that this process may use */
	char binding[160];   /* processors that it may use, as hwloc numbers them: "0-3,8" */
	uint64_t memory_bytes;
};

void node_look(struct node_info *node);

#endif
