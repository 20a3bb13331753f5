/* What a message costs on each level of a machine: inside a node, and between nodes. Measured by `tarry coll calibrate`, which keeps it in a file;
 * `tarry coll` hands it to the job through the environment.
 *
 *	struct coll_levels levels = COLL_LEVELS_DEFAULT;
 *	if (setting_get(SETTING_COLL_LEVELS))
 *		coll_levels_parse(setting_get(SETTING_COLL_LEVELS), &levels);
 *
 * A file has a line for each level, and comments:
 *
 *	LevelName=node Latency=3.1e-07 Bandwidth=9.8e+09 */
#ifndef TARRY_COLL_CHOICE_LEVELS_H
#define TARRY_COLL_CHOICE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct coll_level {
	double latency_s;
	double bandwidth; /* bytes in a second */
};

struct coll_levels {
	struct coll_level node, network;
};

/* Of a machine that nobody has measured: shared memory, and an ordinary network. */
#define COLL_LEVELS_DEFAULT \
	{ \
		.node = {5e-7, 5e9}, .network = { 2e-5, 1e9 } \
	}

enum { COLL_LEVELS_TEXT = 200 };

/* As one word for each level; in COLL_LEVELS_TEXT bytes. */
void coll_levels_print(const struct coll_levels *levels, char *text);
/* Levels that the text does not have stay as they are. False: it makes no sense, and nothing has changed. */
bool coll_levels_parse(const char *text, struct coll_levels *levels);

/* Levels that were not measured are NULL. */
void coll_levels_write(const struct coll_level *node, const struct coll_level *network, FILE *file);
/* How many levels the file has. Lines that say something else are skipped. */
int coll_levels_read(FILE *file, struct coll_levels *levels);

#endif
