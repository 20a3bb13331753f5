#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_hex(const uint8_t digest[SHA256_BYTES], const char *expected)
{
	char text[2 * SHA256_BYTES + 1];

	for (int i = 0; i < SHA256_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	assert_string_equal(text, expected);
}

/* Examples of FIPS 180-4. */
static void digests_are_those_of_the_standard(void **state)
{
	static const struct {
		const char *text, *digest;
	} examples[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	};
	static char million[1000000];
	uint8_t digest[SHA256_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		sha256_of(examples[i].text, strlen(examples[i].text), digest);
		assert_hex(digest, examples[i].digest);
	}
	memset(million, 'a', sizeof million);
	sha256_of(million, sizeof million, digest);
	assert_hex(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Test cases 1, 2, 3, 6 and 7 of RFC 4231: keys that are shorter and longer than a block. */
static void codes_are_those_of_the_standard(void **state)
{
	static const char larger[] = "Test Using Larger Than Block-Size Key - Hash Key First",
			  longer[] = "This is a test using a larger than block-size key and a larger than "
				     "block-size data. The key needs to be hashed before being used by the "
				     "HMAC algorithm.";
	uint8_t key[131], data[50], code[SHA256_BYTES];

	(void)state;
	memset(key, 0x0b, sizeof key);
	hmac_sha256(key, 20, "Hi There", 8, code);
	assert_hex(code, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, code);
	assert_hex(code, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof key);
	memset(data, 0xdd, sizeof data);
	hmac_sha256(key, 20, data, sizeof data, code);
	assert_hex(code, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
	hmac_sha256(key, sizeof key, larger, strlen(larger), code);
	assert_hex(code, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	hmac_sha256(key, sizeof key, longer, strlen(longer), code);
	assert_hex(code, "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digests_are_those_of_the_standard),
		cmocka_unit_test(codes_are_those_of_the_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
