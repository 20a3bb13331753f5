/*
 * Random collective calls, the same on all processes from one seed: shapes of datatypes, and what each operation needs.
 *
 * Elements are of a basic type; a shape makes three of them into one element of a derived type, which may have gaps, a negative lower bound, or another
 * order. Sender and receiver may use different shapes of the same basic type.
 */
#ifndef TARRY_TESTS_COLL_CASES_H
#define TARRY_TESTS_COLL_CASES_H

#include "coll/algorithms/collective.h"

#include <stdint.h>

/* Basic elements of each shape. */
#define SHAPE_ELEMENTS 3
/* No shape reaches further than this from its address, in basic elements, in either direction; its extent is at most this. */
#define SHAPE_REACH 8

enum case_shape {
	SHAPE_BASIC,
	SHAPE_CONTIGUOUS,
	SHAPE_VECTOR,
	SHAPE_SWAPPED,
	SHAPE_NEGATIVE,
	SHAPE_EMPTY,
	SHAPES
};

struct case_random {
	uint64_t state;
};

uint32_t case_next(struct case_random *random, uint32_t below);

MPI_Datatype case_type(enum case_shape shape, MPI_Datatype basic);

/* A call, with its memory. */
struct case_call {
	struct coll_call call;
	MPI_Datatype basic;
	int basic_bytes;
	enum case_shape send_shape, receive_shape;
	int blocks;         /* of three basic elements: contribution of a process, or the largest count */
	bool in_place;      /* this process */
	bool root_in_place; /* of a rooted operation, its root; otherwise all */
	bool commutes;
	int *counts, *displacements;
	char *send, *receive; /* storage of `storage_bytes` each; the call's buffers are inside */
	char *spare;          /* as large */
	size_t storage_bytes;
};

/* For operation `operation` of a communicator with this size and rank. */
void case_make(struct case_call *made, struct case_random *random, enum coll_operation operation, int rank,
               int size);
void case_release(struct case_call *made);

/* Fills both buffers. Equal seeds give equal contents. */
void case_fill(struct case_call *made, uint64_t seed, int rank);

/* Makes the call with the MPI library. */
int case_by_library(const struct case_call *made, MPI_Comm comm);

/*
 * Computes the result of a reduction without communication: each process can fill the buffers like any other process. Returns false for other operations,
 * which compute nothing.
 */
bool case_by_hand(struct case_call *made, uint64_t seed, int rank, int size);

void case_describe(const struct case_call *made, char *text, size_t size);

#endif
