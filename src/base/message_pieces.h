/* Blocks of any size as messages of MPI, whose counts are of type int.
 *
 *	for (int i = 0; i < pieces_of(bytes); i++)
 *		MPI_Isend(block + (size_t)i * PIECE_BYTES, piece_bytes(bytes, i), MPI_BYTE, …); */
#ifndef TARRY_BASE_MESSAGE_PIECES_H
#define TARRY_BASE_MESSAGE_PIECES_H

#include <stdint.h>

enum { PIECE_BYTES = 1 << 30 };

static inline int pieces_of(uint64_t bytes)
{
	return (int)((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
}

/* All but the last have PIECE_BYTES. */
static inline int piece_bytes(uint64_t bytes, int piece)
{
	const uint64_t before = (uint64_t)piece * PIECE_BYTES;

	return (int)(bytes - before < PIECE_BYTES ? bytes - before : PIECE_BYTES);
}

#endif
