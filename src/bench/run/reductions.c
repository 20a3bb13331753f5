#include "bench/run/reductions.h"

#include "base/text.h"

#include <string.h>

/* name, MPI constant, types that it is defined for, function */
#define REDUCTIONS(X) \
	X(sum, MPI_SUM, KIND_INTEGER | KIND_FLOAT, left + right) \
	X(prod, MPI_PROD, KIND_INTEGER | KIND_FLOAT, left * right) \
	X(max, MPI_MAX, KIND_INTEGER | KIND_FLOAT, left > right ? left : right) \
	X(min, MPI_MIN, KIND_INTEGER | KIND_FLOAT, left < right ? left : right) \
	X(land, MPI_LAND, KIND_INTEGER, left &&right) \
	X(lor, MPI_LOR, KIND_INTEGER, left || right) \
	X(lxor, MPI_LXOR, KIND_INTEGER, !left != !right) \
	X(band, MPI_BAND, KIND_INTEGER | KIND_BYTE, left & right) \
	X(bor, MPI_BOR, KIND_INTEGER | KIND_BYTE, left | right) \
	X(bxor, MPI_BXOR, KIND_INTEGER | KIND_BYTE, left ^ right) \
	X(minloc, MPI_MINLOC, KIND_PAIR, left < right ? left : right) \
	X(maxloc, MPI_MAXLOC, KIND_PAIR, is_same_value(left, right) == (left < right) ? left : right)

/* Equal pairs: the lower index counts. */
static bool is_same_value(int64_t left, int64_t right)
{
	return left / PLACES_IN_PAIRS == right / PLACES_IN_PAIRS;
}

#define FUNCTIONS(name, constant, kinds, expression) \
	static MPI_Op op_##name(void) \
	{ \
		return constant; \
	} \
	static int64_t join_##name(int64_t left, int64_t right) \
	{ \
		return expression; \
	}

REDUCTIONS(FUNCTIONS)

#define ROW(name, constant, kinds, expression) {#name, op_##name, kinds, join_##name},

static const struct reduction reductions[] = {REDUCTIONS(ROW){"user", NULL, ~(unsigned)KIND_PAIR, join_sum}};

enum { REDUCTIONS_COUNT = sizeof reductions / sizeof *reductions };

static enum status complain(const char *name)
{
	struct nearest nearest = {.word = name};

	for (size_t i = 0; i < REDUCTIONS_COUNT; i++)
		nearest_offer(&nearest, reductions[i].name);
	if (nearest_found(&nearest))
		return fail("unknown reduction '%s': do you mean '%s'?", name, nearest_found(&nearest));
	return fail(
		"unknown reduction '%s': take sum, prod, max, min, land, lor, lxor, band, bor, bxor, minloc, maxloc or user",
		name);
}

enum status reduction_find(const char *name, const struct reduction **reduction)
{
	for (size_t i = 0; i < REDUCTIONS_COUNT; i++)
		if (!name || strcmp(name, reductions[i].name) == 0) {
			*reduction = &reductions[i];
			return OK;
		}
	return complain(name);
}

const char *reduction_usual_type(const struct reduction *reduction)
{
	return reduction->kinds == KIND_PAIR ? "2int" : "int";
}

enum status reduction_check(const struct reduction *reduction, const struct datatype *datatype)
{
	if (reduction->op && datatype->make)
		return fail(
			"'%s' does not accept a derived type such as '%s': choose a basic one, or '--reduction user'",
			reduction->name, datatype->name);
	if (!(reduction->kinds & datatype->pieces[0].basic->kind))
		return fail("'%s' is not defined for '%s': choose another type or reduction", reduction->name,
		            datatype->name);
	return OK;
}

/* MPI passes no argument of ours to the function. */
static const struct datatype *reduced;

static void add_elements(void *values, void *totals, int *count, MPI_Datatype *type)
{
	const struct piece *pieces = reduced->pieces;
	const char *from = values;
	char *to = totals;

	(void)type;
	if (!reduced->make) {
		pieces->basic->add(from, to, (size_t)*count);
		return;
	}
	for (int i = 0; i < *count; i++, from += reduced->extent, to += reduced->extent)
		for (size_t j = 0; j < reduced->count; j++)
			pieces[j].basic->add(from + pieces[j].offset, to + pieces[j].offset, pieces[j].count);
}

MPI_Op reduction_make(const struct reduction *reduction, const struct datatype *datatype)
{
	MPI_Op op;

	if (reduction->op)
		return reduction->op();
	reduced = datatype;
	MPI_Op_create(add_elements, 1, &op);
	return op;
}

void reduction_free(const struct reduction *reduction, MPI_Op *op)
{
	if (reduction && !reduction->op && *op != MPI_OP_NULL)
		MPI_Op_free(op);
}
