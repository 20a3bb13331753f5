#include "job/check/shmem/symmetric_memory.h"

#include "base/hash.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/sites.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* BLOCKS_MAX: above it, freed blocks are forgotten. */
enum { BLOCKS_MAX = 1 << 16, LEFT_PLACES_MAX = 256 };

/* Ascending, without overlaps. */
static struct {
	struct symmetric_block *items;
	size_t count, room;
	bool has_failed; /* no memory: nothing is known about the heap */
} blocks;

/* The first block that ends after the address. */
static size_t position_of(uintptr_t address)
{
	size_t first = 0, end = blocks.count;

	while (first < end) {
		const size_t middle = (first + end) / 2;

		if (blocks.items[middle].start + blocks.items[middle].bytes <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static struct symmetric_block *find_block(uintptr_t address)
{
	const size_t at = position_of(address);

	return at < blocks.count && blocks.items[at].start <= address ? &blocks.items[at] : NULL;
}

static void remove_blocks(size_t first, size_t end)
{
	if (first == end)
		return;
	memmove(&blocks.items[first], &blocks.items[end], (blocks.count - end) * sizeof *blocks.items);
	blocks.count -= end - first;
}

static void forget_freed(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < blocks.count; i++)
		if (!blocks.items[i].is_freed)
			blocks.items[kept++] = blocks.items[i];
	blocks.count = kept;
}

static bool make_room(void)
{
	const size_t room = blocks.room ? 2 * blocks.room : 64;
	struct symmetric_block *grown;

	if (blocks.count >= BLOCKS_MAX)
		forget_freed();
	if (blocks.count < blocks.room)
		return true;
	grown = realloc(blocks.items, room * sizeof *grown);
	if (!grown) {
		blocks.has_failed = true;
		return false;
	}
	blocks.items = grown;
	blocks.room = room;
	return true;
}

static void add_block(const struct symmetric_block *block)
{
	size_t first, end;

	if (!block->bytes || !make_room())
		return;
	first = end = position_of(block->start);
	while (end < blocks.count && blocks.items[end].start < block->start + block->bytes)
		end++;
	remove_blocks(first, end);
	memmove(&blocks.items[first + 1], &blocks.items[first],
	        (blocks.count - first) * sizeof *blocks.items);
	blocks.items[first] = *block;
	blocks.count++;
}

static bool library_knows(const volatile void *address)
{
	static int (*is_accessible)(const void *address, int pe);

	if (!is_accessible)
		is_accessible = (int (*)(const void *, int))(uintptr_t)dlsym(RTLD_DEFAULT,
		                                                             "shmem_addr_accessible");
	return !is_accessible || is_accessible((const void *)(uintptr_t)address, checked_shmem.pe);
}

enum symmetry symmetric_find(const volatile void *address, const struct symmetric_block **block)
{
	struct symmetric_block *found = find_block((uintptr_t)address);

	if (blocks.has_failed)
		return SYMMETRY_UNKNOWN;
	*block = found;
	if (found)
		return found->is_freed ? IN_FREED_BLOCK : IN_BLOCK;
	if (segment_of((uintptr_t)address, NULL).end)
		return IN_FILE;
	return library_knows(address) ? SYMMETRY_UNKNOWN : NOT_SYMMETRIC;
}

/* Where a symmetric object is. */
struct symmetric_position {
	const char *file; /* its name; NULL: on the heap */
	ptrdiff_t offset;
	bool is_in_program;
};

static bool is_program(const void *base)
{
	static const void *program;
	Dl_info file;

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in our own memory */
	if (!program && dladdr((const void *)(uintptr_t)getauxval(AT_ENTRY), &file))
		program = file.dli_fbase;
	return base == program;
}

/* False: unknown. */
static bool find_position(const volatile void *address, struct symmetric_position *position)
{
	const char *first = (const char *)(uintptr_t)address, *slash;
	Dl_info file;

	*position = (struct symmetric_position){.offset = first - checked_shmem.heap};
	if (!address)
		return false;
	if (!dladdr(first, &file) || !file.dli_fbase || !file.dli_fname)
		return checked_shmem.heap && find_block((uintptr_t)first);
	slash = strrchr(file.dli_fname, '/');
	position->file = slash ? slash + 1 : file.dli_fname;
	position->offset = first - (const char *)file.dli_fbase;
	position->is_in_program = is_program(file.dli_fbase);
	return true;
}

uint64_t symmetric_identity(const volatile void *address)
{
	struct symmetric_position position;

	if (!find_position(address, &position))
		return 0;
	const int64_t words[2] = {
		position.file ? (int64_t)hash_bytes(position.file, strlen(position.file)) : 0,
		position.offset,
	};
	return hash_words(words, 2, checked.world) | 1;
}

uint64_t symmetric_place(const volatile void *address)
{
	const ptrdiff_t half = (ptrdiff_t)1 << (SHMEM_PLACE_BITS - 2);
	struct symmetric_position position;

	if (!find_position(address, &position) || position.offset <= -half / 2 ||
	    position.offset >= half / 2 || (position.file && !position.is_in_program))
		return 0;
	return (uint64_t)(position.offset + (position.file ? 2 * half : half));
}

const char *symmetric_text(const volatile void *address, char text[SYMMETRIC_TEXT])
{
	struct symmetric_position position;

	if (!find_position(address, &position))
		return "?";
	if (position.file)
		snprintf(text, SYMMETRIC_TEXT, "%.60s+0x%tx", position.file, position.offset);
	else
		snprintf(text, SYMMETRIC_TEXT, "heap%+td", position.offset);
	return text;
}

/* Frees */

static void report_unknown(struct shmem_call *c)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_FREE_UNKNOWN, &c->call);

	finding_draft_value(&draft, "parameter", "ptr");
	finding_report(&draft);
}

static void report_freed_twice(struct shmem_call *c, const struct symmetric_block *block)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_FREED, &c->call);

	finding_draft_value(&draft, "parameter", "ptr");
	finding_draft_call(&draft, block->created_by, block->created_at, NOTE_CREATED);
	finding_draft_call(&draft, block->freed_by, block->freed_at, NOTE_FREED);
	finding_report(&draft);
}

void symmetric_before(struct shmem_call *c)
{
	const void *memory = c->values->source;
	const struct symmetric_block *block;
	enum symmetry symmetry;

	if (!memory || (c->call.id != CALL_shmem_free && c->call.id != CALL_shmem_realloc))
		return;
	symmetry = symmetric_find(memory, &block);
	if (symmetry == IN_FREED_BLOCK)
		report_freed_twice(c, block);
	else if (symmetry == NOT_SYMMETRIC || symmetry == IN_FILE ||
	         (symmetry == IN_BLOCK && block->start != (uintptr_t)memory))
		report_unknown(c);
}

static void end_block(const struct shmem_call *c)
{
	struct symmetric_block *block = find_block((uintptr_t)c->values->source);

	if (!block || block->start != (uintptr_t)c->values->source)
		return;
	block->is_freed = true;
	block->freed_by = c->call.id;
	block->freed_at = agent_place(&c->call);
}

void symmetric_after(const struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	const bool is_realloc = c->call.id == CALL_shmem_realloc;

	if (all_calls[c->call.id].pgas != PGAS_MEMORY)
		return;
	if (values->source &&
	    (c->call.id == CALL_shmem_free || (is_realloc && (values->object || !values->bytes))))
		end_block(c);
	if (!values->object)
		return;
	if (!checked_shmem.heap)
		checked_shmem.heap = (const char *)(uintptr_t)values->object;
	add_block(&(struct symmetric_block){.start = (uintptr_t)values->object,
	                                    .bytes = values->bytes,
	                                    .created_by = c->call.id,
	                                    .created_at = agent_place(&c->call)});
}

/* Blocks of one place. */
struct left_blocks {
	const struct symmetric_block *first;
	uint32_t count;
	uint64_t bytes;
};

static void report_left(const struct left_blocks *left)
{
	struct finding_draft draft = finding_draft(CHECK_SHMEM_LEAK, NULL);

	finding_draft_value(&draft, "count", "%" PRIu32, left->count);
	finding_draft_value(&draft, "bytes", "%" PRIu64, left->bytes);
	finding_draft_call(&draft, left->first->created_by, left->first->created_at, NOTE_CREATED);
	finding_report(&draft);
}

void symmetric_report_left(void)
{
	static struct left_blocks left[LEFT_PLACES_MAX];
	uint32_t count = 0;

	for (size_t i = 0; i < blocks.count; i++) {
		const struct symmetric_block *block = &blocks.items[i];
		uint32_t at = 0;

		while (at < count && left[at].first->created_at != block->created_at)
			at++;
		if (block->is_freed || at == LEFT_PLACES_MAX)
			continue;
		if (at == count)
			left[count++] = (struct left_blocks){.first = block};
		left[at].count++;
		left[at].bytes += block->bytes;
	}
	for (uint32_t i = 0; i < count; i++)
		report_left(&left[i]);
}
