#include "job/mpi/world.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/job_identity.h"
#include "base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { TEXT = JOB_IDENTITY_MAX, CLAIMS_MAX = 1000 };

static uint64_t without_launcher(uint64_t run, int size, char *text)
{
	uint64_t identity = 0;

	if (run && size > 1) {
		int length = snprintf(text, TEXT, "world of %d", size);
		return hash_word(run, hash_bytes(text, (size_t)length));
	}
	if (getrandom(&identity, sizeof identity, GRND_NONBLOCK) != sizeof identity)
		identity = (uint64_t)getpid();
	return identity;
}

uint64_t world_identity(uint64_t run, int size, int *common)
{
	uint64_t identity;
	char text[TEXT];
	size_t length = job_identity(text);

	if (length) {
		*common = 1;
		identity = hash_word(run, hash_bytes(text, length));
		return identity ? identity : 1;
	}
	*common = 0;
	identity = without_launcher(run, size, text);
	return identity ? identity : 1;
}

uint64_t world_of_group(int size)
{
	char text[TEXT], host[64] = "";
	int length;

	gethostname(host, sizeof host - 1);
	length = snprintf(text, TEXT, "group %d of %d on %s", (int)getpgrp(), size, host);
	return hash_bytes(text, (size_t)length) | 1;
}

void world_claim_prefix(uint64_t world, char *text, size_t room)
{
	snprintf(text, room, MEETING_PREFIX "claim-%016llx-", (unsigned long long)world);
}

static bool claim(int folder, uint64_t world, int rank)
{
	char prefix[48], name[64];
	int fd;

	if (folder < 0)
		return true;
	world_claim_prefix(world, prefix, sizeof prefix);
	snprintf(name, sizeof name, "%s%d", prefix, rank);
	fd = private_file_create(folder, name, 0600);
	if (fd < 0)
		return errno != EEXIST;
	close(fd);
	return true;
}

uint64_t world_claim(int folder, uint64_t world, int rank)
{
	uint64_t claimed = world;

	for (int n = 1; n < CLAIMS_MAX && !claim(folder, claimed, rank); n++)
		claimed = hash_word(world, (uint64_t)n) | 1;
	return claimed;
}
