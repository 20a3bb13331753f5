/* plant_choice RESULTS OUTPUT OPERATION RANKS BYTES VARIANT: writes a tuning file in which this algorithm is chosen for these points, whatever
 * was measured. Prints the variables that make the library read it, one on a line. */
#include "bench/results/output.h"
#include "bench/tuning/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 7 };

static bool is_meant(const struct result_point *point, char **arguments)
{
	return strcmp(point->operation, arguments[3]) == 0 && point->ranks == atoi(arguments[4]) &&
	       point->bytes == strtoull(arguments[5], NULL, 10);
}

static size_t plant(const struct results *results, char **arguments, struct choices *choices)
{
	size_t planted = 0;

	for (size_t i = 0; i < choices->count; i++) {
		struct choice *choice = &choices->at[i];
		choice->is_taken = false;
		if (!is_meant(choice->untuned, arguments))
			continue;
		for (size_t k = 0; k < results->point_count; k++)
			if (is_meant(&results->points[k], arguments) &&
			    strcmp(results->points[k].variant, arguments[6]) == 0) {
				choice->best = &results->points[k];
				choice->is_taken = true;
				planted++;
			}
	}
	return planted;
}

static enum status write_planted(const struct results *results, char **arguments, struct arena *arena)
{
	struct demand demand = {.gain = 0.05, .confidence = 0.95};
	struct tuning_place place;
	struct choices choices;

	choices_make(results, &demand, arena, &choices);
	if (plant(results, arguments, &choices) != 1)
		return fail("'%s' of %s was not measured", arguments[6], arguments[3]);
	TRY(tuning_place(results, arguments[2], arena, &place));
	TRY(tuning_write(results, &choices, &place));
	for (size_t i = 0; i < place.count; i++)
		printf("%s=%s\n", place.variables[i].name, place.variables[i].value);
	return OK;
}

int main(int argc, char **argv)
{
	struct results results;
	struct arena arena = {0};
	enum status status = argc == ARGUMENTS ? OK : fail("wrong number of arguments");

	results_init(&results);
	if (status == OK)
		status = results_read(argv[1], &results);
	if (status == OK)
		status = write_planted(&results, argv, &arena);
	if (status != OK)
		fprintf(stderr, "plant_choice: %s\n", trail_text());
	results_release(&results);
	arena_release(&arena);
	return status;
}
