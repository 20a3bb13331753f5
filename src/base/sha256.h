/* SHA-256 (FIPS 180-4) and the authentication code HMAC-SHA-256 (RFC 2104) over it. For short proofs of
 * knowing a key, in processes that must not load a crypto library: small, not fast. */
#ifndef TARRY_BASE_SHA256_H
#define TARRY_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

void sha256_of(const void *bytes, size_t size, uint8_t digest[SHA256_BYTES]);
void hmac_sha256(const void *key, size_t key_size, const void *bytes, size_t size,
                 uint8_t code[SHA256_BYTES]);

#endif
