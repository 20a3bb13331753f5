#include "job/check/objects/operand_classes.h"

#include "check/signature/signature.h"
#include "job/mpi/flavour.h"

#include <string.h>

struct named_operand {
	const char *name; /* without MPI_ */
	enum basic_class holds;
};

static enum operand_class class_of(const char *name, enum basic_class holds)
{
	if (strcmp(name, "AINT") == 0 || strcmp(name, "COUNT") == 0 || strcmp(name, "OFFSET") == 0)
		return OPERAND_MULTI_LANGUAGE;
	switch (holds) {
	case HOLDS_INTEGER:
	case HOLDS_UNSIGNED:
		return strncmp(name, "INTEGER", 7) == 0 ? OPERAND_FORTRAN_INTEGER : OPERAND_C_INTEGER;
	case HOLDS_FLOAT:
		return OPERAND_FLOAT;
	case HOLDS_COMPLEX:
		return OPERAND_COMPLEX;
	case HOLDS_LOGICAL:
		return OPERAND_LOGICAL;
	case HOLDS_BYTES:
		return OPERAND_BYTE;
	case HOLDS_PAIR:
		return OPERAND_PAIR;
	default:
		return OPERAND_OTHER;
	}
}

enum operand_class operand_class_of(const char *type)
{
	static const struct named_operand operands[] = {
#define BASIC_TYPE(name, class) {#name, class},
#include "check/signature/basic_types.def"
	};

	if (!type || strncmp(type, "MPI_", 4) != 0)
		return OPERAND_UNKNOWN;
	if (strcmp(type, "MPI_LONG_LONG_INT") == 0)
		return OPERAND_C_INTEGER;
	if (strcmp(type, "MPI_C_FLOAT_COMPLEX") == 0)
		return OPERAND_COMPLEX;
	for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
		if (strcmp(operands[i].name, type + 4) == 0)
			return class_of(operands[i].name, operands[i].holds);
	return OPERAND_UNKNOWN;
}

struct known_operation {
	const char *name;
	MPI_Op op;
	uint32_t takes;
};

#define ARITHMETIC (OPERAND_C_INTEGER | OPERAND_FORTRAN_INTEGER | OPERAND_FLOAT | OPERAND_MULTI_LANGUAGE)
#define LOGICAL (OPERAND_C_INTEGER | OPERAND_LOGICAL)
#define BITWISE (OPERAND_C_INTEGER | OPERAND_FORTRAN_INTEGER | OPERAND_BYTE | OPERAND_MULTI_LANGUAGE)
#define ANYTHING (~(uint32_t)OPERAND_DERIVED)
#define OPERATION(name, takes) \
	{ \
#name, name, takes \
	}

static const struct known_operation operations[] = {
	OPERATION(MPI_MAX, ARITHMETIC),
	OPERATION(MPI_MIN, ARITHMETIC),
	OPERATION(MPI_SUM, ARITHMETIC | OPERAND_COMPLEX),
	OPERATION(MPI_PROD, ARITHMETIC | OPERAND_COMPLEX),
	OPERATION(MPI_LAND, LOGICAL),
	OPERATION(MPI_LOR, LOGICAL),
	OPERATION(MPI_LXOR, LOGICAL),
	OPERATION(MPI_BAND, BITWISE),
	OPERATION(MPI_BOR, BITWISE),
	OPERATION(MPI_BXOR, BITWISE),
	OPERATION(MPI_MINLOC, OPERAND_PAIR),
	OPERATION(MPI_MAXLOC, OPERAND_PAIR),
	OPERATION(MPI_REPLACE, ANYTHING),
	OPERATION(MPI_NO_OP, ANYTHING),
};

static const struct known_operation *find_operation(uint64_t op)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (HANDLE(operations[i].op) == op)
			return &operations[i];
	return NULL;
}

const char *operation_name(uint64_t op)
{
	const struct known_operation *found = find_operation(op);

	return found ? found->name : NULL;
}

bool operation_takes(uint64_t op, enum operand_class operand)
{
	const struct known_operation *found = find_operation(op);

	return !found || operand == OPERAND_UNKNOWN || (found->takes & operand);
}

bool operation_is_one_sided(uint64_t op)
{
	return op == HANDLE(MPI_REPLACE) || op == HANDLE(MPI_NO_OP);
}

bool swap_takes(enum operand_class operand)
{
	return operand == OPERAND_UNKNOWN || operand & (BITWISE | OPERAND_LOGICAL);
}
