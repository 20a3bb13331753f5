/* The four bytes of an int form a 2 × 2 matrix: products of matrices do not commute, so any change of the
 * order shows. */
#include "bench/run/order.h"

#include "bench/run/agreement.h"

#include <string.h>

enum { ENTRIES = 4 };

struct matrix {
	unsigned char at[ENTRIES];
};

static struct matrix product(const struct matrix *left, const struct matrix *right)
{
	const unsigned char *a = left->at, *b = right->at;

	return (struct matrix){
		{(unsigned char)(a[0] * b[0] + a[1] * b[2]), (unsigned char)(a[0] * b[1] + a[1] * b[3]),
	         (unsigned char)(a[2] * b[0] + a[3] * b[2]), (unsigned char)(a[2] * b[1] + a[3] * b[3])}};
}

static void multiply(void *left, void *right, int *count, MPI_Datatype *type)
{
	const struct matrix *in = left;
	struct matrix *in_out = right;

	(void)type;
	for (int i = 0; i < *count; i++)
		in_out[i] = product(&in[i], &in_out[i]);
}

static struct matrix given_by(int rank)
{
	return (struct matrix){{1, (unsigned char)(rank + 1), (unsigned char)(2 * rank + 1), 3}};
}

static struct matrix product_of_first(int ranks)
{
	struct matrix all = given_by(0), next;

	for (int i = 1; i < ranks; i++) {
		next = given_by(i);
		all = product(&all, &next);
	}
	return all;
}

static void fill(const struct trial *trial)
{
	size_t blocks = trial->operation->send == BLOCK_EACH ? (size_t)trial->ranks : 1;
	size_t count = blocks * trial->bytes / sizeof(struct matrix);
	struct matrix *send = trial->send, own = given_by(trial->rank);

	for (size_t i = 0; i < count; i++)
		send[i] = own;
}

/* The number of processes whose product this one gets; 0: none. */
static int factors(const struct trial *trial)
{
	if (trial->operation->sources == FROM_ALL_UP_TO_ME)
		return trial->rank + 1;
	if (trial->operation->sources == FROM_ALL_BELOW_ME)
		return trial->rank;
	return trial->operation->traits & HAS_ROOT && trial->rank != trial->root ? 0 : trial->ranks;
}

static bool is_in_order(const struct trial *trial)
{
	const struct matrix *received = trial->receive;
	int count = trial->operation->traits & IS_UNEVEN ? trial->share : trial->count;
	struct matrix expected;

	if (!factors(trial))
		return true;
	expected = product_of_first(factors(trial));
	for (int i = 0; i < count; i++)
		if (memcmp(&received[i], &expected, sizeof expected) != 0)
			return false;
	return true;
}

enum status order_check(struct trial *trial)
{
	MPI_Op usual = trial->reduction, product_of_matrices;
	int code;

	if (trial->type != MPI_INT || trial->in_place)
		return fail(
			"its correctness for non-commutative reductions can only be tested with int; '--commutative' uses it nevertheless");
	MPI_Op_create(multiply, 0, &product_of_matrices);
	trial_turn(trial);
	fill(trial);
	trial->reduction = product_of_matrices;
	code = trial->operation->run(trial);
	trial->reduction = usual;
	MPI_Op_free(&product_of_matrices);
	TRY(mpi_status(code, trial->operation->name));
	return is_in_order(trial)
	               ? OK
	               : fail("it is wrong for non-commutative reductions; '--commutative' uses it nevertheless");
}
