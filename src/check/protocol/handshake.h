/* The start of each connection: both sides prove that they know the key of the run, without sending it. A
 * proof is an HMAC over two random numbers, one of each side, so it is useless on another connection.
 * docs/check-protocol.md describes the frames.
 *
 *	connecting side                     listening side
 *	handshake_begin: CHALLENGE   ->
 *	                             <-     handshake_answer: RESPONSE
 *	handshake_prove: PROOF       ->     handshake_accept */
#ifndef TARRY_CHECK_PROTOCOL_HANDSHAKE_H
#define TARRY_CHECK_PROTOCOL_HANDSHAKE_H

#include "base/sha256.h"
#include "check/protocol/messages.h"

enum { NONCE_BYTES = 32, RESPONSE_BYTES = NONCE_BYTES + SHA256_BYTES };

struct handshake {
	uint8_t connecting[NONCE_BYTES], listening[NONCE_BYTES]; /* the random number of each side */
	bool is_answered;
};

/* Each appends its frame to `out`. False: no random numbers, or the other side does not know the key, has
 * another version or violates a rule. Then nothing is appended, and the connection must be closed. */
bool handshake_begin(struct handshake *handshake, struct message_writer *out);
bool handshake_answer(struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES], struct cursor *in,
                      struct message_writer *out);
bool handshake_prove(struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES], struct cursor *in,
                     struct message_writer *out);
bool handshake_accept(const struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES],
                      struct cursor *in);

#endif
