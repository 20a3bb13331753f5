/* Instead of history_sqlite.c if the library was missing when Tarry was built. */
#include "output/history/history.h"

static const char missing[] = "this tarry was built without SQLite; install libsqlite3-dev and build again";

enum status history_add(const char *path, const struct history_run *run, const char *json, bool *is_new)
{
	(void)run;
	(void)json;
	(void)is_new;
	return fail("cannot write '%s': %s", path, missing);
}

enum status history_read(const char *path, const struct history_filter *filter, struct history *history)
{
	(void)filter;
	(void)history;
	return fail("cannot read '%s': %s", path, missing);
}

enum status history_new_findings(const struct history *history, const struct history_series *series,
                                 double share, struct text *sentences)
{
	(void)series;
	(void)share;
	(void)sentences;
	return fail("cannot read '%s': %s", history->path, missing);
}

enum status report_as_sqlite(const char *json, struct text *bytes)
{
	(void)json;
	(void)bytes;
	return fail("cannot write a database: %s", missing);
}
