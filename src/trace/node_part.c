#include "trace/node_part.h"

#include "base/crc32.h"

#include <errno.h>
#include <string.h>

/* The value of `census` */
enum {
	RUNNING_SHIFT = 12,
	NUMBER_MASK = (1 << RUNNING_SHIFT) - 1,
	ONE_RUNNING = 1 << RUNNING_SHIFT,
	RUNNING_MASK = NUMBER_MASK << RUNNING_SHIFT,
	CLOSED = 1 << 2 * RUNNING_SHIFT,
};
_Static_assert(PART_PROCESSES < (1 << RUNNING_SHIFT), "numbers of processes fit");

/* A number in the lower half, its checksum in the upper half. All zeros are a valid 0. */
static bool take_number(uint64_t word, uint32_t *number)
{
	*number = (uint32_t)word;
	return !word || (uint32_t)(word >> 32) == crc32_of(number, sizeof *number);
}

static uint64_t put_number(uint32_t number)
{
	return (uint64_t)crc32_of(&number, sizeof number) << 32 | number;
}

static bool read_number(const uint64_t *word, uint32_t *number)
{
	return take_number(__atomic_load_n(word, __ATOMIC_ACQUIRE), number);
}

static uint32_t process_crc(const struct part_entry *process, uint32_t rank)
{
	struct part_entry known = {.start = process->start, .pid = process->pid, .rank = rank};

	if (rank != PROCESS_UNKNOWN) {
		known.world = process->world;
		known.size = process->size;
	}
	return crc32_of(&known, offsetof(struct part_entry, crc));
}

static bool has_magic(const struct part_header *header)
{
	return memcmp(header->magic, PART_MAGIC, PART_MAGIC_SIZE) == 0;
}

const char *part_header_problem(const struct part_header *header)
{
	uint32_t number;

	if (!has_magic(header))
		return "the header of the part is damaged";
	if (!read_number(&header->taken, &number))
		return "the counter of the part is damaged";
	if (!read_number(&header->census, &number) || (number & NUMBER_MASK) > PART_PROCESSES)
		return "the table of processes of the part is damaged";
	return NULL;
}

uint32_t part_entry_count(const struct part_header *header)
{
	uint32_t census;

	return !has_magic(header) || !read_number(&header->census, &census) ||
	                       (census & NUMBER_MASK) > PART_PROCESSES
	               ? 0
	               : census & NUMBER_MASK;
}

bool part_is_closed(const struct part_header *header)
{
	uint32_t census;

	return has_magic(header) && read_number(&header->census, &census) && census & CLOSED;
}

const struct part_entry *part_entry_at(const struct part_header *header, uint32_t number)
{
	const struct part_entry *process = &header->processes[number];

	return number < part_entry_count(header) && process->crc == process_crc(process, process->rank)
	               ? process
	               : NULL;
}

const struct part_entry *part_find(const struct part_header *header, uint64_t world, uint32_t rank)
{
	if (rank == PROCESS_UNKNOWN)
		return world && world <= PART_PROCESSES
		               ? part_entry_at(header, (uint32_t)(world - part_token(0)))
		               : NULL;
	for (uint32_t i = 0; i < part_entry_count(header); i++)
		if (header->processes[i].world == world && header->processes[i].rank == rank &&
		    part_entry_at(header, i))
			return &header->processes[i];
	return NULL;
}

void part_resolve(const struct part_header *header, uint64_t *world, uint32_t *rank)
{
	const struct part_entry *process = *rank == PROCESS_UNKNOWN ? part_find(header, *world, *rank) : NULL;

	if (!process || process->rank == PROCESS_UNKNOWN)
		return;
	*world = process->world;
	*rank = process->rank;
}

/* False: another process changed the word first, and `before` is its current value. */
static bool replace(uint64_t *word, uint64_t *before, uint32_t number)
{
	return __atomic_compare_exchange_n(word, before, put_number(number), false, __ATOMIC_ACQ_REL,
	                                   __ATOMIC_ACQUIRE);
}

bool part_take(struct part_header *header, uint64_t bytes, uint64_t *offset)
{
	uint64_t before = __atomic_load_n(&header->taken, __ATOMIC_ACQUIRE);
	uint64_t pages = bytes / PART_PAGE;
	uint32_t taken;

	do {
		errno = EBADMSG;
		if (!has_magic(header) || !take_number(before, &taken))
			return false;
		errno = EFBIG;
		if (taken + pages > UINT32_MAX)
			return false;
	} while (!replace(&header->taken, &before, (uint32_t)(taken + pages)));
	*offset = (1 + (uint64_t)taken) * PART_PAGE;
	return true;
}

void part_give_back(struct part_header *header, uint64_t bytes, uint64_t offset)
{
	uint64_t taken = offset / PART_PAGE - 1, before = put_number((uint32_t)(taken + bytes / PART_PAGE));

	replace(&header->taken, &before, (uint32_t)taken);
}

int part_join(struct part_header *header, uint32_t pid, uint64_t start)
{
	static const uint8_t zeros[PART_MAGIC_SIZE];
	uint64_t before = __atomic_load_n(&header->census, __ATOMIC_ACQUIRE);
	uint32_t census, number;
	struct part_entry *process;

	/* Several processes may write it. */
	if (memcmp(header->magic, zeros, PART_MAGIC_SIZE) == 0)
		memcpy(header->magic, PART_MAGIC, PART_MAGIC_SIZE);
	if (part_header_problem(header))
		return -1;
	do {
		if (!take_number(before, &census) || (census & NUMBER_MASK) >= PART_PROCESSES ||
		    census & CLOSED)
			return -1;
	} while (!replace(&header->census, &before, census + ONE_RUNNING + 1));
	number = census & NUMBER_MASK;
	process = &header->processes[number];
	process->start = start;
	process->pid = pid;
	process->rank = PROCESS_UNKNOWN;
	process->crc = process_crc(process, PROCESS_UNKNOWN);
	__atomic_store_n(&process->state, PART_RUNNING, __ATOMIC_RELEASE);
	return (int)number;
}

/* The checksum of an entry without a rank does not cover the world, so the entry is valid after each store. */
void part_set_rank(struct part_entry *process, uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_entry known = {.rank = rank};

	process->world = world;
	process->size = size;
	known.crc = process_crc(process, rank);
	__atomic_store_n(&process->identity, known.identity, __ATOMIC_RELEASE);
}

bool part_leave(struct part_header *header, uint32_t number, enum part_state state, bool closes)
{
	uint64_t before = __atomic_load_n(&header->census, __ATOMIC_ACQUIRE);
	uint32_t running = PART_RUNNING, census, after;

	if (!__atomic_compare_exchange_n(&header->processes[number].state, &running, state, false,
	                                 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return false;
	do {
		if (!take_number(before, &census) || !(census & RUNNING_MASK))
			return false;
		after = census - ONE_RUNNING;
		if (closes && !(after & RUNNING_MASK))
			after |= CLOSED;
	} while (!replace(&header->census, &before, after));
	return !(after & RUNNING_MASK);
}
