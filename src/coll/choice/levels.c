#include "coll/choice/levels.h"

#include <math.h>
#include <string.h>

#define NODE "node"
#define NETWORK "network"

static bool is_sane(const struct coll_level *level)
{
	return isfinite(level->latency_s) && isfinite(level->bandwidth) && level->latency_s > 0 &&
	       level->latency_s < 1000 && level->bandwidth > 1;
}

static struct coll_level *find_level(struct coll_levels *levels, const char *name)
{
	if (strcmp(name, NODE) == 0)
		return &levels->node;
	return strcmp(name, NETWORK) == 0 ? &levels->network : NULL;
}

void coll_levels_print(const struct coll_levels *levels, char *text)
{
	snprintf(text, COLL_LEVELS_TEXT, NODE "=%.6g,%.6g " NETWORK "=%.6g,%.6g", levels->node.latency_s,
	         levels->node.bandwidth, levels->network.latency_s, levels->network.bandwidth);
}

bool coll_levels_parse(const char *text, struct coll_levels *levels)
{
	struct coll_levels parsed = *levels;
	char name[16];
	int length;

	for (; *text; text += length) {
		struct coll_level level, *place;
		length = 0;
		if (sscanf(text, " %15[a-z]=%lf,%lf%n", name, &level.latency_s, &level.bandwidth, &length) !=
		    3)
			return false;
		place = find_level(&parsed, name);
		if (!place || !is_sane(&level))
			return false;
		*place = level;
		length += (int)strspn(text + length, " ");
	}
	*levels = parsed;
	return true;
}

static void write_level(const char *name, const struct coll_level *level, FILE *file)
{
	fprintf(file, "LevelName=%s Latency=%.6g Bandwidth=%.6g\n", name, level->latency_s, level->bandwidth);
}

void coll_levels_write(const struct coll_level *node, const struct coll_level *network, FILE *file)
{
	if (node)
		write_level(NODE, node, file);
	if (network)
		write_level(NETWORK, network, file);
}

int coll_levels_read(FILE *file, struct coll_levels *levels)
{
	char line[256], name[16];
	int found = 0;

	while (fgets(line, sizeof line, file)) {
		struct coll_level level, *place;
		if (sscanf(line, "LevelName=%15s Latency=%lf Bandwidth=%lf", name, &level.latency_s,
		           &level.bandwidth) != 3)
			continue;
		place = find_level(levels, name);
		if (!place || !is_sane(&level))
			continue;
		*place = level;
		found++;
	}
	return found;
}
