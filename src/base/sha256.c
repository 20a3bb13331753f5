#include "base/sha256.h"

#include <string.h>

enum { BLOCK_BYTES = 64, ROUNDS = 64, LENGTH_BYTES = 8 };

struct sha256 {
	uint32_t state[8];
	uint64_t size;
	uint8_t block[BLOCK_BYTES]; /* its first size % BLOCK_BYTES bytes are not in the state yet */
};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t value, int bits)
{
	return value >> bits | value << (32 - bits);
}

static void expand(const uint8_t *block, uint32_t words[ROUNDS])
{
	for (int i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t early = words[i - 15], late = words[i - 2];
		words[i] = words[i - 16] + words[i - 7] +
		           (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
		           (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
	}
}

/* The variables a to h have the names of the standard. */
static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t words[ROUNDS];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	expand(block, words);
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
		                 round_constants[i] + words[i];
		uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
		                  ((a & b) ^ (a & c) ^ (b & c));
		h = g, g = f, f = e, e = d + first;
		d = c, c = b, b = a, a = first + second;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d;
	state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void begin(struct sha256 *hash)
{
	*hash = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
	                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void add(struct sha256 *hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size) {
		size_t used = hash->size % BLOCK_BYTES;
		size_t part = size < BLOCK_BYTES - used ? size : BLOCK_BYTES - used;

		memcpy(hash->block + used, at, part);
		hash->size += part;
		at += part;
		size -= part;
		if (used + part == BLOCK_BYTES)
			add_block(hash->state, hash->block);
	}
}

static void end(struct sha256 *hash, uint8_t digest[SHA256_BYTES])
{
	static const uint8_t padding[BLOCK_BYTES] = {0x80};
	uint64_t bits = hash->size * 8;
	uint8_t length[LENGTH_BYTES];
	size_t used = (hash->size + LENGTH_BYTES) % BLOCK_BYTES;

	for (int i = 0; i < LENGTH_BYTES; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	add(hash, padding, BLOCK_BYTES - used);
	add(hash, length, sizeof length);
	for (int i = 0; i < SHA256_BYTES; i++)
		digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_of(const void *bytes, size_t size, uint8_t digest[SHA256_BYTES])
{
	struct sha256 hash;

	begin(&hash);
	add(&hash, bytes, size);
	end(&hash, digest);
}

static void begin_keyed(struct sha256 *hash, const uint8_t key[BLOCK_BYTES], uint8_t pad)
{
	uint8_t block[BLOCK_BYTES];

	for (int i = 0; i < BLOCK_BYTES; i++)
		block[i] = key[i] ^ pad;
	begin(hash);
	add(hash, block, sizeof block);
}

void hmac_sha256(const void *key, size_t key_size, const void *bytes, size_t size, uint8_t code[SHA256_BYTES])
{
	uint8_t block[BLOCK_BYTES] = {0}, inner[SHA256_BYTES];
	struct sha256 hash;

	if (key_size > sizeof block)
		sha256_of(key, key_size, block);
	else
		memcpy(block, key, key_size);
	begin_keyed(&hash, block, 0x36);
	add(&hash, bytes, size);
	end(&hash, inner);
	begin_keyed(&hash, block, 0x5c);
	add(&hash, inner, sizeof inner);
	end(&hash, code);
}
