/* Flips bits of traces, always the same ones, and reads what comes out: under sanitizers, nothing may happen.
 * Half of the time the checksums are made right again, so that the damage reaches the decoders.
 *
 *	fuzz_reader ROUNDS TRACE... */
#define _GNU_SOURCE

#include "base/crc32.h"
#include "base/memory.h"
#include "trace/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t chance = 88172645463325252;

static uint64_t draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return chance;
}

struct sample {
	uint8_t *bytes;
	size_t size;
};

static struct sample read_sample(const char *path)
{
	struct sample sample = {0};
	FILE *file = fopen(path, "rb");

	if (!file)
		exit(2);
	sample.bytes = memory_new(1, 1 << 20);
	sample.size = fread(sample.bytes, 1, 1 << 20, file);
	fclose(file);
	return sample;
}

static void damage(struct sample *sample)
{
	size_t flips = 1 + draw() % 8;

	for (size_t i = 0; i < flips; i++) {
		size_t at = draw() % sample->size;
		if (draw() % 4)
			sample->bytes[at] ^= (uint8_t)(1 << draw() % 8);
		else
			sample->bytes[at] = (uint8_t)draw();
	}
	if (draw() % 8 == 0)
		sample->size = draw() % sample->size;
}

static void mend_checksums(struct sample *sample)
{
	for (size_t at = 0; at + sizeof(struct chunk_header) <= sample->size; at += CHUNK_ALIGNMENT) {
		struct chunk_header *header = (struct chunk_header *)(sample->bytes + at);
		size_t left = sample->size - at - sizeof *header;
		if (memcmp(header->magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) != 0)
			continue;
		header->identity_crc = crc32_of(header, offsetof(struct chunk_header, identity_crc));
		if (header->length <= left)
			header->payload_crc = crc32_of(header + 1, header->length);
		header->seal_crc = crc32_of(&header->sealed, 4 * sizeof header->sealed);
	}
}

static bool read_trace(const char *path, FILE *nowhere)
{
	struct reader *reader;

	if (reader_open(path, &reader) != OK)
		return false;
	for (int pass = 0; pass < 2; pass++)
		if (trace_dump(reader, &(struct dump_options){0}, nowhere) != OK)
			exit(2);
	reader_close(reader);
	return true;
}

static void write_sample(int fd, const struct sample *sample)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, sample->bytes, sample->size, 0) != (ssize_t)sample->size)
		exit(2);
}

static size_t fuzz(const struct sample *original, int fd, const char *path, FILE *nowhere)
{
	struct sample sample = {memory_new(1, original->size), original->size};
	bool understood;

	memcpy(sample.bytes, original->bytes, original->size);
	damage(&sample);
	if (draw() % 2)
		mend_checksums(&sample);
	write_sample(fd, &sample);
	understood = read_trace(path, nowhere);
	free(sample.bytes);
	return understood;
}

int main(int argc, char **argv)
{
	FILE *nowhere = fopen("/dev/null", "w");
	int fd = memfd_create("fuzz", 0);
	size_t understood = 0, rounds = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	char path[64];

	if (!rounds || !nowhere || fd < 0)
		return 2;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (int i = 2; i < argc; i++) {
		struct sample sample = read_sample(argv[i]);
		for (size_t round = 0; round < rounds; round++)
			understood += fuzz(&sample, fd, path, nowhere);
		free(sample.bytes);
	}
	fclose(nowhere);
	close(fd);
	printf("%zu of %zu damaged traces were read in part\n", understood, rounds * (size_t)(argc - 2));
	return understood ? 0 : 1;
}
