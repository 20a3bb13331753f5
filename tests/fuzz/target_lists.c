/* Lists of sizes and ranks as users write them. Accepted lists are in range, have each number once, and end.
 * Bit 0: they are ranks of a job. */
#include "bench/results/plan.h"
#include "fuzz.h"

#include <string.h>

enum { ARE_RANKS = 1, WORLD = 64 };

const uint8_t fuzz_modes = 2;

static void check(const struct uint_list *numbers, bool are_ranks)
{
	if (!numbers->count)
		give_up("a list was accepted that has no numbers");
	for (size_t i = 0; i < numbers->count; i++) {
		if (are_ranks && (numbers->at[i] < 1 || numbers->at[i] > WORLD))
			give_up("ranks were accepted that are none");
		for (size_t j = 0; j < i; j++)
			if (numbers->at[j] == numbers->at[i])
				give_up("a number is there twice");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct uint_list numbers;
	enum status status;
	bool are_ranks;
	const char *list;

	if (!size)
		return 0;
	are_ranks = *data & ARE_RANKS;
	list = arena_bytes_as_text(&arena, data + 1, size - 1);
	status = are_ranks ? plan_ranks(list, WORLD, &arena, &numbers) : plan_sizes(list, &arena, &numbers);
	if (status == OK)
		check(&numbers, are_ranks);
	else if (!*trail_text())
		give_up("a list was refused without a reason");
	arena_release(&arena);
	return 0;
}
