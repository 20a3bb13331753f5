#include "base/settings.h"

#include "base/hex.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr(SETTING_PLAIN, c));
}

void setting_encode(const char *value, char *out)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *value; value++) {
		const unsigned char c = (unsigned char)*value;

		if (is_plain(c)) {
			*out++ = *value;
		} else {
			*out++ = '%';
			*out++ = digits[c >> 4];
			*out++ = digits[c & 15];
		}
	}
	*out = '\0';
}

/* A literal '%' stays. */
void setting_decode(const char *value, char *out)
{
	while (*value) {
		const int high = *value == '%' ? hex_digit(value[1]) : -1,
			  low = high >= 0 ? hex_digit(value[2]) : -1;

		*out++ = low >= 0 && high + low ? (char)(high << 4 | low) : *value;
		value += low >= 0 && high + low ? 3 : 1;
	}
	*out = '\0';
}

/* Decoded values. They are few and never released. */
struct decoded_setting {
	struct decoded_setting *next;
	char *value;
	char encoded[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct decoded_setting *decoded;

static struct decoded_setting *add_decoded(const char *encoded)
{
	const size_t room = strlen(encoded) + 1;
	struct decoded_setting *setting = malloc(sizeof *setting + 2 * room);

	if (!setting)
		return NULL;
	memcpy(setting->encoded, encoded, room);
	setting->value = setting->encoded + room;
	setting_decode(encoded, setting->value);
	setting->next = decoded;
	decoded = setting;
	return setting;
}

static const char *get_decoded(const char *encoded)
{
	struct decoded_setting *setting;

	pthread_mutex_lock(&lock);
	setting = decoded;
	while (setting && strcmp(setting->encoded, encoded) != 0)
		setting = setting->next;
	if (!setting)
		setting = add_decoded(encoded);
	pthread_mutex_unlock(&lock);
	return setting ? setting->value : NULL;
}

const char *setting_get(const char *name)
{
	const char *value = getenv(name);

	return value && strchr(value, '%') ? get_decoded(value) : value;
}
