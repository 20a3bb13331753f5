/* The cost of a message inside a node and between nodes. `tarry coll calibrate` measures it and writes a file;
 * `tarry coll` passes it to the job in the environment.
 *
 *	struct coll_levels levels = COLL_LEVELS_DEFAULT;
 *	if (setting_get(SETTING_COLL_LEVELS))
 *		coll_levels_parse(setting_get(SETTING_COLL_LEVELS), &levels);
 *
 * A file has one line per level, and comments:
 *
 *	LevelName=node Latency=3.1e-07 Bandwidth=9.8e+09 */
#ifndef TARRY_COLL_CHOICE_LEVELS_H
#define TARRY_COLL_CHOICE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct coll_level {
	double latency_s;
	double bandwidth; /* bytes per second */
};

struct coll_levels {
	struct coll_level node, network;
};

/* For machines without a calibration: shared memory and an ordinary network. */
#define COLL_LEVELS_DEFAULT \
	{ \
		.node = {5e-7, 5e9}, .network = { 2e-5, 1e9 } \
	}

enum { COLL_LEVELS_TEXT = 200 };

/* One word per level, in COLL_LEVELS_TEXT bytes. */
void coll_levels_print(const struct coll_levels *levels, char *text);
/* Levels that are missing in the text keep their values. False: invalid text, nothing changed. */
bool coll_levels_parse(const char *text, struct coll_levels *levels);

/* Writes a file. NULL: the level was not measured. */
void coll_levels_write(const struct coll_level *node, const struct coll_level *network, FILE *file);
/* Returns the number of levels in the file. Other lines are skipped. */
int coll_levels_read(FILE *file, struct coll_levels *levels);

#endif
