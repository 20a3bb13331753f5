#include "check/protocol/handshake.h"

#include <sys/random.h>

/* Different for the two sides, so that a proof cannot be sent back to its owner. */
static const char listening_label[] = "analyser", connecting_label[] = "agent";

static void make_proof(const uint8_t *key, const char *label, size_t length, const uint8_t *first,
                       const uint8_t *second, uint8_t proof[SHA256_BYTES])
{
	uint8_t bytes[sizeof listening_label + 2 * NONCE_BYTES];

	memcpy(bytes, label, length);
	memcpy(bytes + length, first, NONCE_BYTES);
	memcpy(bytes + length + NONCE_BYTES, second, NONCE_BYTES);
	hmac_sha256(key, CHECK_KEY_BYTES, bytes, length + 2 * NONCE_BYTES, proof);
}

static void prove_listening(const struct handshake *handshake, const uint8_t *key, uint8_t *proof)
{
	make_proof(key, listening_label, sizeof listening_label - 1, handshake->connecting,
	           handshake->listening, proof);
}

static void prove_connecting(const struct handshake *handshake, const uint8_t *key, uint8_t *proof)
{
	make_proof(key, connecting_label, sizeof connecting_label - 1, handshake->listening,
	           handshake->connecting, proof);
}

/* In constant time, so that the duration does not reveal the number of correct bytes. */
static bool is_same(const uint8_t *a, const uint8_t *b)
{
	uint8_t differs = 0;

	for (int i = 0; i < SHA256_BYTES; i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

static bool draw_nonce(uint8_t nonce[NONCE_BYTES])
{
	return getrandom(nonce, NONCE_BYTES, 0) == NONCE_BYTES;
}

static void put_frame(struct message_writer *out, enum message_kind kind, struct message_writer *body)
{
	frame_put(out, kind, body);
	writer_release(body);
}

bool handshake_begin(struct handshake *handshake, struct message_writer *out)
{
	struct message_writer body = {0};

	*handshake = (struct handshake){0};
	if (!draw_nonce(handshake->connecting))
		return false;
	put_number(&body, CHECK_PROTOCOL_VERSION);
	put_raw(&body, handshake->connecting, NONCE_BYTES);
	put_frame(out, MESSAGE_CHALLENGE, &body);
	return true;
}

bool handshake_answer(struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES], struct cursor *in,
                      struct message_writer *out)
{
	const bool same_version = take_u32(in) == CHECK_PROTOCOL_VERSION;
	const uint8_t *nonce = take_bytes(in, NONCE_BYTES);
	struct message_writer body = {0};
	uint8_t proof[SHA256_BYTES];

	if (handshake->is_answered || !same_version || !nonce || !draw_nonce(handshake->listening))
		return false;
	memcpy(handshake->connecting, nonce, NONCE_BYTES);
	handshake->is_answered = true;
	prove_listening(handshake, key, proof);
	put_raw(&body, handshake->listening, NONCE_BYTES);
	put_raw(&body, proof, sizeof proof);
	put_frame(out, MESSAGE_RESPONSE, &body);
	return true;
}

bool handshake_prove(struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES], struct cursor *in,
                     struct message_writer *out)
{
	const uint8_t *nonce = take_bytes(in, NONCE_BYTES), *claim = take_bytes(in, SHA256_BYTES);
	struct message_writer body = {0};
	uint8_t proof[SHA256_BYTES];

	if (!nonce || !claim)
		return false;
	memcpy(handshake->listening, nonce, NONCE_BYTES);
	prove_listening(handshake, key, proof);
	if (!is_same(proof, claim))
		return false;
	prove_connecting(handshake, key, proof);
	put_raw(&body, proof, sizeof proof);
	put_frame(out, MESSAGE_PROOF, &body);
	return true;
}

bool handshake_accept(const struct handshake *handshake, const uint8_t key[CHECK_KEY_BYTES],
                      struct cursor *in)
{
	const uint8_t *claim = take_bytes(in, SHA256_BYTES);
	uint8_t proof[SHA256_BYTES];

	if (!handshake->is_answered || !claim)
		return false;
	prove_connecting(handshake, key, proof);
	return is_same(proof, claim);
}
