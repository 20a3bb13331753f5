/* A process's machine as plain data that can be sent to other processes. */
#ifndef TARRY_BENCH_RUN_NODE_H
#define TARRY_BENCH_RUN_NODE_H

#include <stdint.h>

/* Unknown values are "unknown" or 0. Long texts are truncated. */
struct node_info {
	char host[64];
	char processor[96];  /* model name */
	char processors[48]; /* number of CPUs and cores */
	char kernel[96];     /* "Linux 6.1.0-18-arm64" */
	char governor[32];   /* of the first CPU that this process may use */
	char binding[160];   /* allowed CPUs in hwloc's numbering: "0-3,8" */
	uint64_t memory_bytes;
};

void node_look(struct node_info *node);

#endif
