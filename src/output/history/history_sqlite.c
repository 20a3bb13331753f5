#include "base/files.h"
#include "output/history/history.h"
#include "output/history/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

/* Others write for milliseconds. */
enum { PATIENCE_MS = 30000, SCHEMA_VERSION = 1 };

#define scoped_statement __attribute__((cleanup(statement_release))) sqlite3_stmt *

static void statement_release(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}

/* A sentence for errors that users can fix. */
static enum status fail_with(sqlite3 *database, const char *path)
{
	int code = sqlite3_errcode(database);

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return fail("'%s' is in use by another process: try again later", path);
	if (code == SQLITE_NOTADB)
		return fail("'%s' is not an SQLite file: name another one", path);
	return fail("'%s': %s", path, sqlite3_errmsg(database));
}

static enum status run_sql(sqlite3 *database, const char *path, const char *sql)
{
	return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : fail_with(database, path);
}

static enum status prepare(sqlite3 *database, const char *path, const char *sql, sqlite3_stmt **statement)
{
	return sqlite3_prepare_v2(database, sql, -1, statement, NULL) == SQLITE_OK
	               ? OK
	               : fail_with(database, path);
}

/* The first column of the first row. */
static enum status read_number(sqlite3 *database, const char *path, const char *sql, int64_t *number)
{
	scoped_statement statement = NULL;

	TRY(prepare(database, path, sql, &statement));
	if (sqlite3_step(statement) != SQLITE_ROW)
		return fail_with(database, path);
	*number = sqlite3_column_int64(statement, 0);
	return OK;
}

/* Files of other programs are not touched. */
static enum status check_schema(sqlite3 *database, const char *path, bool may_create)
{
	int64_t version = 0, tables = 0;

	TRY(read_number(database, path, "PRAGMA user_version", &version));
	if (version == SCHEMA_VERSION)
		return OK;
	TRY(read_number(database, path, "SELECT count(*) FROM sqlite_schema", &tables));
	if (version > SCHEMA_VERSION && tables)
		return fail("'%s' was made by a later version of tarry: use that one", path);
	if (tables || !may_create)
		return fail("'%s' is not a history: 'tarry history add' makes one", path);
	return run_sql(database, path, history_schema);
}

/* SQLite would take a lack of locks for a lock of somebody else, and wait. */
static enum status check_file(const char *path, bool may_be_absent)
{
	int file = open_regular(AT_FDCWD, path, O_RDONLY);
	bool has_locks;

	if (file < 0)
		return may_be_absent && errno == ENOENT ? OK
		                                        : fail("cannot open '%s': %s", path, file_error());
	has_locks = fcntl(file, F_SETLK, &(struct flock){.l_type = F_RDLCK, .l_len = 1}) == 0 ||
	            errno == EACCES || errno == EAGAIN;
	close(file);
	return has_locks ? OK
	                 : fail("'%s' is on a file system without locks, so several writers would damage it: "
	                        "keep it on a local disk",
	                        path);
}

static enum status open_history(const char *path, bool writes, sqlite3 **database)
{
	int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	enum status status;

	TRY(check_file(path, writes));
	if (sqlite3_open_v2(path, database, flags, NULL) == SQLITE_OK)
		status = check_file(
			path, false); /* before SQLite has locks: the end of the check would release them */
	else
		status = fail("cannot open '%s': %s", path,
		              sqlite3_system_errno(*database) ? strerror(sqlite3_system_errno(*database))
		                                              : sqlite3_errmsg(*database));
	sqlite3_busy_timeout(*database, PATIENCE_MS);
	if (status != OK)
		sqlite3_close(*database);
	return status;
}

static void bind_text(sqlite3_stmt *statement, int number, const char *text)
{
	sqlite3_bind_text(statement, number, text, -1, SQLITE_STATIC);
}

static enum status insert_run(sqlite3 *database, const char *path, const struct history_run *run,
                              bool *is_new)
{
	scoped_statement statement = NULL;
	const struct scaling_run *figures = &run->scaling;
	const double values[] = {
		figures->length_s, figures->computing_s, figures->longest_s, figures->ideal_length_s,
		figures->openmp,   figures->counted_s,   figures->cycles,    figures->instructions,
		run->parallel,     run->balance};
	int at = 0;

	TRY(prepare(database, path, history_insert_run, &statement));
	bind_text(statement, ++at, run->commit);
	bind_text(statement, ++at, run->machine);
	bind_text(statement, ++at, figures->program);
	bind_text(statement, ++at, figures->name);
	bind_text(statement, ++at, run->identity);
	sqlite3_bind_int64(statement, ++at, (int64_t)figures->ranks);
	sqlite3_bind_int64(statement, ++at, (int64_t)figures->threads);
	sqlite3_bind_int64(statement, ++at, (int64_t)run->nodes);
	sqlite3_bind_int64(statement, ++at, run->can_judge);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		sqlite3_bind_double(statement, ++at, values[i]);
	if (sqlite3_step(statement) != SQLITE_DONE)
		return fail_with(database, path);
	*is_new = sqlite3_changes(database) > 0;
	return OK;
}

static enum status insert_findings(sqlite3 *database, const char *path, const char *json)
{
	scoped_statement statement = NULL;

	TRY(prepare(database, path, history_insert_findings, &statement));
	sqlite3_bind_int64(statement, 1, sqlite3_last_insert_rowid(database));
	bind_text(statement, 2, json);
	return sqlite3_step(statement) == SQLITE_DONE ? OK : fail_with(database, path);
}

static enum status add_run(sqlite3 *database, const char *path, const struct history_run *run,
                           const char *json, bool *is_new)
{
	TRY(check_schema(database, path, true));
	TRY(insert_run(database, path, run, is_new));
	return *is_new ? insert_findings(database, path, json) : OK;
}

enum status history_add(const char *path, const struct history_run *run, const char *json, bool *is_new)
{
	sqlite3 *database;
	enum status status;

	TRY(open_history(path, true, &database));
	/* From here on other writers wait: nobody reads first and finds the file changed when it writes. */
	status = run_sql(database, path, "BEGIN IMMEDIATE");
	if (status == OK)
		status = add_run(database, path, run, json, is_new);
	if (status == OK)
		status = run_sql(database, path, "COMMIT");
	sqlite3_close(database); /* rolls back an open transaction */
	return status;
}

/* Reading */

static const char *column_text(struct arena *arena, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return arena_text(arena, text ? text : "");
}

static void read_run(struct history *history, sqlite3_stmt *row)
{
	int at = 0;
	struct history_run run = {.id = sqlite3_column_int64(row, at++)};
	struct scaling_run *figures = &run.scaling;

	run.added = column_text(&history->arena, row, at++);
	run.commit = column_text(&history->arena, row, at++);
	run.machine = column_text(&history->arena, row, at++);
	figures->program = column_text(&history->arena, row, at++);
	figures->name = column_text(&history->arena, row, at++);
	figures->ranks = (uint64_t)sqlite3_column_int64(row, at++);
	figures->threads = (uint64_t)sqlite3_column_int64(row, at++);
	run.nodes = (uint64_t)sqlite3_column_int64(row, at++);
	run.can_judge = sqlite3_column_int(row, at++);
	figures->length_s = sqlite3_column_double(row, at++);
	figures->computing_s = sqlite3_column_double(row, at++);
	figures->longest_s = sqlite3_column_double(row, at++);
	figures->ideal_length_s = sqlite3_column_double(row, at++);
	figures->openmp = sqlite3_column_double(row, at++);
	figures->counted_s = sqlite3_column_double(row, at++);
	figures->cycles = sqlite3_column_double(row, at++);
	figures->instructions = sqlite3_column_double(row, at++);
	run.parallel = sqlite3_column_double(row, at++);
	run.balance = sqlite3_column_double(row, at++);
	/* Anybody may have edited the file. */
	if (run.scaling.length_s > 0)
		arena_add(&history->arena, history->runs, history->count, run);
}

static enum status read_runs(sqlite3 *database, const struct history_filter *filter, struct history *history)
{
	scoped_statement statement = NULL;
	int code;

	TRY(check_schema(database, history->path, false));
	TRY(prepare(database, history->path, history_select_runs, &statement));
	bind_text(statement, 1, filter->program);
	bind_text(statement, 2, filter->machine);
	sqlite3_bind_int64(statement, 3, (int64_t)filter->ranks);
	while ((code = sqlite3_step(statement)) == SQLITE_ROW)
		read_run(history, statement);
	return code == SQLITE_DONE ? OK : fail_with(database, history->path);
}

enum status history_read(const char *path, const struct history_filter *filter, struct history *history)
{
	sqlite3 *database;
	enum status status;

	TRY(open_history(path, false, &database));
	history->path = arena_text(&history->arena, path);
	status = read_runs(database, filter, history);
	sqlite3_close(database);
	return status;
}

/* The columns of history_select_new_findings. */
static void add_new_finding(sqlite3_stmt *row, struct text *sentences)
{
	const double share = 100 * sqlite3_column_double(row, 2);
	const bool is_predictable = sqlite3_column_type(row, 3) != SQLITE_NULL;

	text_add(sentences, "new finding %s at %s: ", sqlite3_column_text(row, 0),
	         sqlite3_column_text(row, 1));
	if (is_predictable) {
		text_add(sentences, "the run would save ");
		text_add_seconds(sentences, sqlite3_column_double(row, 3));
		text_add(sentences, ", %.3g %%; ", share);
	}
	text_add(sentences, "ranks lose ");
	text_add_seconds(sentences, sqlite3_column_double(row, 4));
	text_add(sentences, is_predictable ? "\n" : ", %.3g %% of their time\n", share);
}

static enum status select_new_findings(sqlite3 *database, const struct history *history,
                                       const struct history_series *series, double share,
                                       struct text *sentences)
{
	scoped_statement statement = NULL;
	const struct history_run *newest = &series->runs[series->count - 1];
	int code;

	TRY(prepare(database, history->path, history_select_new_findings, &statement));
	sqlite3_bind_int64(statement, 1, newest->id);
	sqlite3_bind_int64(statement, 2, series->runs[series->newest - 1].id);
	sqlite3_bind_double(statement, 3, share);
	while ((code = sqlite3_step(statement)) == SQLITE_ROW)
		add_new_finding(statement, sentences);
	return code == SQLITE_DONE ? OK : fail_with(database, history->path);
}

enum status history_new_findings(const struct history *history, const struct history_series *series,
                                 double share, struct text *sentences)
{
	sqlite3 *database;
	enum status status;

	if (!series->newest)
		return OK;
	TRY(open_history(history->path, false, &database));
	status = select_new_findings(database, history, series, share, sentences);
	sqlite3_close(database);
	return status;
}

/* A report */

static void add_columns(const struct report_table *table, struct text *sql)
{
	const char *keys = table->columns;

	for (size_t i = 0; i < sizeof table->fields / sizeof *table->fields; i++)
		for (const struct json_field *field = table->fields[i]; field && field->name; field++)
			text_add(sql, ", json_extract(item.value, '$.%s') AS \"%s\"", field->name,
			         field->name);
	for (keys += strspn(keys, " "); *keys; keys += strspn(keys, " ")) {
		size_t length = strcspn(keys, " "), name = length;

		while (name && keys[name - 1] != '.')
			name--;
		text_add(sql, ", json_extract(item.value, '$.%.*s') AS \"%.*s\"", (int)length, keys,
		         (int)(length - name), keys + name);
		keys += length;
	}
}

static enum status fill_table(sqlite3 *database, const struct report_table *table, const char *json)
{
	scoped_statement statement = NULL;
	scoped_text sql = {0};

	text_add(&sql, "CREATE TABLE %s AS SELECT %s", table->name, table->first);
	add_columns(table, &sql);
	text_add(&sql, " FROM %s", table->from);
	TRY(prepare(database, "report", text_get(&sql), &statement));
	bind_text(statement, 1, json);
	return sqlite3_step(statement) == SQLITE_DONE ? OK : fail_with(database, "report");
}

enum status report_as_sqlite(const char *json, struct text *bytes)
{
	enum status status = OK;
	sqlite3 *database;
	unsigned char *image;
	sqlite3_int64 size;

	if (sqlite3_open(":memory:", &database) != SQLITE_OK)
		status = fail("cannot make a database: %s", sqlite3_errmsg(database));
	for (const struct report_table *table = report_tables; table->name && status == OK; table++)
		status = fill_table(database, table, json);
	image = status == OK ? sqlite3_serialize(database, "main", &size, 0) : NULL;
	if (status == OK && !image)
		status = fail("cannot make a database: no memory is left");
	if (image)
		text_add_bytes(bytes, (const char *)image, (size_t)size);
	sqlite3_free(image);
	sqlite3_close(database);
	return status;
}
