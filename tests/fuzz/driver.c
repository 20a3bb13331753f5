/* Hands damaged copies of good inputs to a target, always the same ones: what an accident leaves (cuts, flipped
 * bits), what another machine would write (versions, byte order), and what malice would (lengths, numbers).
 *
 *	NAME ROUNDS STEP SEED...     ROUNDS of each seed with several kinds of damage at once, apart from the rest, which
 *	                             is damage at every STEP-th byte
 *	NAME INPUT                   one input unchanged, with its first byte: to reproduce a failure
 *
 * An input that breaks the target is kept in the working directory. */
#define _GNU_SOURCE

#include "base/memory.h"
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What inputs of some KiB may take at the most. The sanitizers' own tables make a limit on addresses useless. */
enum { MEMORY_LIMIT = 512 << 20 };
#define CRASH_FILE "fuzz-found"

const char *__asan_default_options(void);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

__attribute__((visibility("default"), used)) const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=128:hard_rss_limit_mb=1024:detect_leaks=0";
}

struct sample {
	uint8_t *bytes;
	size_t size;
};

static struct sample current;
static uint64_t tried;

static void keep_current(void)
{
	int fd = open(CRASH_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd >= 0 && write(fd, current.bytes, current.size) == (ssize_t)current.size)
		dprintf(2, "fuzz: the input is kept in '" CRASH_FILE "', run it again by naming it alone\n");
}

static void on_signal(int number)
{
	keep_current();
	signal(number, SIG_DFL);
	raise(number);
}

static void be_careful(void)
{
	struct rlimit limit = {MEMORY_LIMIT, MEMORY_LIMIT};

	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(keep_current);
		signal(SIGABRT, on_signal);
		return;
	}
	setrlimit(RLIMIT_AS, &limit);
	signal(SIGSEGV, on_signal);
	signal(SIGBUS, on_signal);
	signal(SIGFPE, on_signal);
	signal(SIGABRT, on_signal);
}

static struct sample read_sample(const char *path, bool has_mode)
{
	struct sample sample = {.bytes = memory_new(1, 1 << 20)};
	FILE *file = fopen(path, "re");

	if (!file)
		give_up("cannot open a seed");
	sample.size = !has_mode;
	sample.size += fread(sample.bytes + sample.size, 1, (1 << 20) - 1, file);
	fclose(file);
	return sample;
}

static uint64_t chance = 88172645463325252;

static uint64_t draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return chance;
}

/* Each damages a copy at one place; false: not possible there. */

static bool cut(struct sample *sample, size_t at)
{
	sample->size = at;
	return true;
}

static bool flip_bit(struct sample *sample, size_t at)
{
	sample->bytes[at] ^= (uint8_t)(1 << draw() % 8);
	return true;
}

static bool set_byte(struct sample *sample, size_t at)
{
	static const uint8_t edges[] = {0x00, 0x7f, 0x80, 0xff};

	sample->bytes[at] = edges[draw() % sizeof edges];
	return true;
}

static bool fill(struct sample *sample, size_t at, const uint8_t *bytes, size_t size)
{
	if (at + size > sample->size)
		return false;
	memcpy(sample->bytes + at, bytes, size);
	return true;
}

/* Lengths and counts as 32 and 64 bits, and as the longest varints. */
static bool set_length(struct sample *sample, size_t at)
{
	static const uint8_t lengths[][10] = {
		{0xff, 0xff, 0xff, 0xff},
		{0xff, 0xff, 0xff, 0x7f},
		{0x00, 0x00, 0x00, 0x80},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
		{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
	};
	static const size_t sizes[] = {4, 4, 4, 8, 10, 10};
	size_t which = draw() % (sizeof sizes / sizeof *sizes);

	return fill(sample, at, lengths[which], sizes[which]);
}

/* As a machine of the other kind would have written it. */
static bool swap_bytes(struct sample *sample, size_t at)
{
	size_t width = (size_t)2 << draw() % 3;

	if (at + width > sample->size)
		return false;
	for (size_t i = 0; i < width / 2; i++) {
		uint8_t byte = sample->bytes[at + i];
		sample->bytes[at + i] = sample->bytes[at + width - 1 - i];
		sample->bytes[at + width - 1 - i] = byte;
	}
	return true;
}

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

/* Numbers of texts: too large, negative, none. */
static bool set_number(struct sample *sample, size_t at)
{
	static const char *const numbers[] = {"18446744073709551616", "-9223372036854775809", "0xfffffffff",
	                                      ""};
	const char *number = numbers[draw() % 4];
	size_t length = strlen(number), old = 0;

	while (at + old < sample->size && is_digit(sample->bytes[at + old]))
		old++;
	if (!old || (at && is_digit(sample->bytes[at - 1])))
		return false;
	memmove(sample->bytes + at + length, sample->bytes + at + old, sample->size - at - old);
	memcpy(sample->bytes + at, number, length);
	sample->size += length - old;
	return true;
}

static bool leave_out(struct sample *sample, size_t at)
{
	size_t size = 1 + draw() % 16;

	if (at + size > sample->size)
		return false;
	memmove(sample->bytes + at, sample->bytes + at + size, sample->size - at - size);
	sample->size -= size;
	return true;
}

static bool repeat(struct sample *sample, size_t at)
{
	size_t size = 1 + draw() % 64;

	if (at + size > sample->size)
		return false;
	memmove(sample->bytes + at + size, sample->bytes + at, sample->size - at);
	sample->size += size;
	return true;
}

enum { LARGEST_GROWTH = 64 };

static bool (*const damages[])(struct sample *sample, size_t at) = {
	cut, flip_bit, set_byte, set_length, swap_bytes, set_number, leave_out, repeat,
};
enum { DAMAGES = sizeof damages / sizeof *damages };

static void attack(const struct sample *sample)
{
	current = *sample;
	for (sample->bytes[0] = 0; sample->bytes[0] < fuzz_modes; sample->bytes[0]++) {
		LLVMFuzzerTestOneInput(sample->bytes, sample->size);
		tried++;
	}
}

static struct sample copy_sample(const struct sample *original)
{
	struct sample copy = {memory_new(1, original->size + LARGEST_GROWTH), original->size};

	memcpy(copy.bytes, original->bytes, original->size);
	return copy;
}

static void attack_with(const struct sample *seed, size_t damage, size_t at)
{
	struct sample sample = copy_sample(seed);

	if (damages[damage](&sample, at))
		attack(&sample);
	free(sample.bytes);
}

/* A cut at each place, and one of the other kinds of damage, in turn. */
static void attack_everywhere(const struct sample *seed, size_t first, size_t step)
{
	for (size_t at = first; at < seed->size; at += step) {
		attack_with(seed, 0, at);
		attack_with(seed, 1 + at / step % (DAMAGES - 1), at);
	}
}

static void attack_at_random(const struct sample *seed)
{
	struct sample sample = copy_sample(seed);
	size_t times = 2 + draw() % 8;

	for (size_t i = 0; i < times && sample.size > 1; i++)
		/* Without cuts, which would leave little to damage; and only once what makes it longer. */
		damages[1 + draw() % (i ? DAMAGES - 4 : DAMAGES - 1)](&sample,
		                                                      1 + draw() % (sample.size - 1));
	attack(&sample);
	free(sample.bytes);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	size_t step = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;

	be_careful();
	if (argc == 2) {
		current = read_sample(argv[1], true);
		LLVMFuzzerTestOneInput(current.bytes, current.size);
		return 0;
	}
	if (!rounds || !step)
		return 2;
	for (int i = 3; i < argc; i++) {
		struct sample seed = read_sample(argv[i], false);
		attack(&seed);
		/* Seeds that begin alike are damaged at other places. */
		attack_everywhere(&seed, 1 + (size_t)i % step, step);
		for (size_t round = 0; round < rounds; round++)
			attack_at_random(&seed);
		free(seed.bytes);
	}
	printf("%llu inputs, and nothing happened\n", (unsigned long long)tried);
	return 0;
}
