#include "bench/run/datatypes.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECES_MAX = 4096,
	WORDS_MAX = 65536,
	EXTENT_MAX = 1 << 30, /* of a type; larger ones are errors */
};

static const struct basic *find_basic(const char *name)
{
	for (const struct basic *basic = basics; basic->name; basic++)
		if (strcmp(basic->name, name) == 0)
			return basic;
	return NULL;
}

static enum status read_basic(const char *name, const struct basic **basic)
{
	*basic = find_basic(name);
	if (*basic && (*basic)->kind == KIND_PAIR)
		return fail(
			"'%s' is a pair, which cannot be part of a type: take byte, int, double or another",
			name);
	return *basic ? OK
	              : fail("'%s' is not a basic type: take byte, int, double or another of the list", name);
}

/* The state of the parser. */
struct datatype_draft {
	struct piece *pieces;
	size_t count;
	size_t end, largest;
};

static enum status add_piece(struct datatype_draft *draft, uint64_t offset, uint64_t count,
                             const struct basic *basic)
{
	uint64_t end = offset + count * basic->size;

	if (!count)
		return fail("a piece has no elements: leave it out");
	if (offset > EXTENT_MAX || count > EXTENT_MAX || end > EXTENT_MAX)
		return fail(
			"the type has more than 1 GiB: take smaller numbers, and '--sizes' for long messages");
	if (draft->count == PIECES_MAX)
		return fail("more than %d pieces: take fewer", PIECES_MAX);
	draft->pieces[draft->count++] = (struct piece){offset, count, basic};
	if (end > draft->end)
		draft->end = end;
	if (basic->size > draft->largest)
		draft->largest = basic->size;
	return OK;
}

/* Splits "LENGTH@PLACE": sets the place and terminates the length. */
static enum status cut_place(char *word, uint64_t *place)
{
	char *at = strchr(word, '@');

	if (!at)
		return fail("'%s' has no place: write LENGTH@PLACE", word);
	*at = 0;
	return parse_size(at + 1, place);
}

static enum status read_indexed_piece(char *word, const struct basic *basic, struct datatype_draft *draft)
{
	uint64_t length = 0, place = 0;

	TRY(cut_place(word, &place));
	TRY(parse_size(word, &length));
	if (place > EXTENT_MAX)
		return fail("place %s@%llu is too far away", word, (unsigned long long)place);
	return add_piece(draft, place * basic->size, length, basic);
}

static enum status read_struct_piece(char *word, const struct basic *basic, struct datatype_draft *draft)
{
	uint64_t place = 0;

	TRY(cut_place(word, &place));
	TRY(read_basic(word, &basic));
	return add_piece(draft, place, 1, basic);
}

typedef enum status piece_reader(char *word, const struct basic *basic, struct datatype_draft *draft);

static enum status read_pieces(char *words, const struct basic *basic, piece_reader *read,
                               struct datatype_draft *draft)
{
	char *rest = words;

	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ","))
		TRY(read(word, basic, draft));
	return OK;
}

static enum status read_vector(char *words, const struct basic *basic, piece_reader *unused,
                               struct datatype_draft *draft)
{
	uint64_t numbers[3];
	char *rest = words;

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		const char *word = strsep(&rest, ",");
		if (!word)
			return fail("missing numbers: give COUNT,LENGTH,STRIDE");
		TRY(parse_size(word, &numbers[i]));
	}
	if (rest)
		return fail("unexpected ',%s': give COUNT,LENGTH,STRIDE", rest);
	if (numbers[2] < numbers[1] || numbers[2] > EXTENT_MAX)
		return fail("the stride must not be shorter than the length, nor too long");
	for (uint64_t i = 0; i < numbers[0]; i++)
		TRY(add_piece(draft, i * numbers[2] * basic->size, numbers[1], basic));
	return numbers[0] ? OK : fail("the vector is empty: take a count of 1 or more");
}

/* Types other than basic ones, each with an example for the bare word. */
static const struct form {
	const char *word;
	const char *example;
	const char *basic; /* NULL: each piece names its own */
	bool can_choose;   /* ":BASIC" may follow */
	enum status (*read)(char *words, const struct basic *basic, piece_reader *read,
	                    struct datatype_draft *draft);
	piece_reader *read_piece;
	datatype_maker *make;
} forms[] = {
	{"vector", "8,1,2", "int", true, read_vector, NULL, datatype_vector},
	{"indexed", "1@0,2@3,1@7", "int", true, read_pieces, read_indexed_piece, datatype_indexed},
	{"struct", "int@0,double@8,byte@16", NULL, false, read_pieces, read_struct_piece, datatype_struct},
	{"layout", "4@0,8@16", "byte", false, read_pieces, read_indexed_piece, datatype_indexed},
};

static const struct form *find_form(const char *words)
{
	size_t length = strcspn(words, ":");

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (strlen(forms[i].word) == length && strncmp(forms[i].word, words, length) == 0)
			return &forms[i];
	return NULL;
}

static int by_offset(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Received data must not overlap, and gaps between elements must not be written. */
static enum status check_overlap(const struct datatype_draft *draft)
{
	struct piece *sorted = memory_new(draft->count, sizeof *sorted);
	enum status status = OK;

	memcpy(sorted, draft->pieces, draft->count * sizeof *sorted);
	qsort(sorted, draft->count, sizeof *sorted, by_offset);
	for (size_t i = 1; i < draft->count && status == OK; i++)
		if (sorted[i].offset < sorted[i - 1].offset + sorted[i - 1].count * sorted[i - 1].basic->size)
			status = fail("pieces overlap at byte %zu: received data must not", sorted[i].offset);
	free(sorted);
	return status;
}

static void finish(const struct datatype_draft *draft, struct datatype *datatype)
{
	datatype->pieces = draft->pieces;
	datatype->count = draft->count;
	datatype->size = 0;
	for (size_t i = 0; i < draft->count; i++)
		datatype->size += draft->pieces[i].count * draft->pieces[i].basic->size;
	/* Padding as in C structures, so that an array is aligned. */
	datatype->extent = (draft->end + draft->largest - 1) / draft->largest * draft->largest;
}

static enum status read_form(const struct form *form, const char *words, struct arena *arena,
                             struct datatype *datatype)
{
	size_t length = strlen(form->word);
	char *rest = arena_text(arena, words[length] ? words + length + 1 : form->example);
	char *choice = form->can_choose ? strchr(rest, ':') : NULL;
	struct datatype_draft draft = {.pieces = arena_array(arena, struct piece, PIECES_MAX), .largest = 1};
	const struct basic *basic = NULL;

	if (choice)
		*choice++ = 0;
	if (choice || form->basic)
		TRY(read_basic(choice ? choice : form->basic, &basic));
	TRY(form->read(rest, basic, form->read_piece, &draft));
	TRY(check_overlap(&draft));
	finish(&draft, datatype);
	datatype->make = form->make;
	return OK;
}

static enum status read_words(const char *words, struct arena *arena, struct datatype *datatype)
{
	const struct form *form = find_form(words);
	const struct basic *basic = find_basic(words);
	struct datatype_draft draft = {.pieces = arena_array(arena, struct piece, 1), .largest = 1};

	if (form)
		return read_form(form, words, arena, datatype);
	if (!basic)
		return fail(
			"unknown type: take byte, char, int8, short, int, long, unsigned, float, double, "
			"2int, short_int, long_int, float_int, double_int, vector, indexed, struct, layout:4@0,8@16 "
			"or the path of a file with one of these");
	TRY(add_piece(&draft, 0, 1, basic));
	finish(&draft, datatype);
	return OK;
}

static enum status read_text_of(const char *path, struct arena *arena, char **words)
{
	char *text = arena_alloc(arena, 1, WORDS_MAX + 1);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = file < 0 ? -1 : read(file, text, WORDS_MAX);
	int error = errno;

	if (file >= 0)
		close(file);
	if (length < 0)
		return fail("cannot read '%s': %s", path, strerror(error));
	text[strcspn(text, " \t\r\n")] = 0;
	*words = text;
	return OK;
}

enum status datatype_read(const char *words, struct arena *arena, struct datatype *datatype)
{
	struct datatype read = {.name = words};
	char *inside = NULL;

	if (strchr(read.name, '/'))
		TRY_BECAUSE(read_text_of(read.name, arena, &inside), "datatype");
	TRY_BECAUSE(read_words(inside ? inside : read.name, arena, &read), "datatype '%s'", read.name);
	*datatype = read;
	return OK;
}

/* The pieces as MPI constructors need them. */
struct type_map {
	int *lengths;
	int *places; /* in elements */
	MPI_Aint *bytes;
	MPI_Datatype *types;
};

static struct type_map map_of(const struct datatype *datatype)
{
	struct type_map map = {
		memory_new(datatype->count, sizeof *map.lengths),
		memory_new(datatype->count, sizeof *map.places),
		memory_new(datatype->count, sizeof *map.bytes),
		memory_new(datatype->count, sizeof *map.types),
	};

	for (size_t i = 0; i < datatype->count; i++) {
		const struct piece *piece = &datatype->pieces[i];

		map.lengths[i] = (int)piece->count;
		map.places[i] = (int)(piece->offset / piece->basic->size);
		map.bytes[i] = (MPI_Aint)piece->offset;
		map.types[i] = piece->basic->type();
	}
	return map;
}

static void map_release(struct type_map *map)
{
	free(map->lengths);
	free(map->places);
	free(map->bytes);
	free(map->types);
}

void datatype_vector(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_vector(count, map->lengths[0], count > 1 ? map->places[1] : map->lengths[0], map->types[0],
	                type);
}

void datatype_indexed(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_indexed(count, map->lengths, map->places, map->types[0], type);
}

void datatype_struct(int count, const struct type_map *map, MPI_Datatype *type)
{
	MPI_Type_create_struct(count, map->lengths, map->bytes, map->types, type);
}

static void resize(const struct datatype *datatype, MPI_Datatype *type)
{
	MPI_Aint begin, extent, wanted = (MPI_Aint)datatype->extent;
	MPI_Datatype old = *type;

	MPI_Type_get_extent(old, &begin, &extent);
	if (begin == 0 && extent == wanted)
		return;
	MPI_Type_create_resized(old, 0, wanted, type);
	MPI_Type_free(&old);
}

MPI_Datatype datatype_make(const struct datatype *datatype)
{
	struct type_map map = map_of(datatype);
	MPI_Datatype type = map.types[0];

	if (datatype->make) {
		datatype->make((int)datatype->count, &map, &type);
		resize(datatype, &type);
		MPI_Type_commit(&type);
	}
	map_release(&map);
	return type;
}

void datatype_free(const struct datatype *datatype, MPI_Datatype *type)
{
	if (datatype->make && *type != MPI_DATATYPE_NULL)
		MPI_Type_free(type);
}

uint64_t datatype_count(const struct datatype *datatype, uint64_t bytes)
{
	return bytes / datatype->size + (bytes % datatype->size != 0);
}
