#include "base/text.h"

#include <string.h>

enum { WORD_MAX = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* One cell of the table: rows are prefixes of a, columns prefixes of b; `rows` holds the last three. */
static size_t cell(size_t rows[3][WORD_MAX + 1], const char *a, const char *b, size_t i, size_t j)
{
	const size_t *before = rows[(i - 1) % 3];
	size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);

	best = least(best, before[j] + 1);
	best = least(best, rows[i % 3][j - 1] + 1);
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
		best = least(best, rows[(i - 2) % 3][j - 2] + 1);
	return best;
}

size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t height = strnlen(a, WORD_MAX), width = strnlen(b, WORD_MAX);

	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= height; i++) {
		rows[i % 3][0] = i;
		for (size_t j = 1; j <= width; j++)
			rows[i % 3][j] = cell(rows, a, b, i, j);
	}
	return rows[height % 3][width];
}

static size_t longer(const char *a, const char *b)
{
	size_t first = strlen(a), second = strlen(b);

	return first > second ? first : second;
}

/* Up to two letters of five are wrong: in short words, where nearly all have something in common, hardly any. */
static bool is_near(const struct nearest *nearest, const char *candidate, size_t distance)
{
	return distance <= 3 && 5 * distance <= 2 * longer(nearest->word, candidate);
}

/* The beginning of a right word is nearer than its length says: "--out" means "--output". */
static bool is_beginning(const char *word, const char *candidate)
{
	return strlen(word) >= 2 && 3 * strlen(word) >= strlen(candidate) && text_begins(candidate, word);
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	size_t distance = is_beginning(nearest->word, candidate) ? 1
	                                                         : edit_distance(nearest->word, candidate);

	if (!is_near(nearest, candidate, distance) || (nearest->found && nearest->distance <= distance))
		return;
	nearest->found = candidate;
	nearest->distance = distance;
}

const char *nearest_found(const struct nearest *nearest)
{
	return nearest->found;
}
