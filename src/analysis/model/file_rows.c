/* Rows of `file_use`: they do not come from calls of the trace, but from summaries of files. */
#include "analysis/model/file_rows.h"

#include "analysis/model/file_usage.h"

#include <stdlib.h>

/* The call that opened the file is not in the trace either. */
static const struct call_semantics *opening_of(struct replay *replay, const struct file_user *user)
{
	struct call_semantics *made = arena_new(&replay->arena, struct call_semantics);
	struct semantics_kind *kind = arena_new(&replay->arena, struct semantics_kind);

	kind->own_comm = NO_COMM;
	kind->message = -1;
	kind->root = RANK_ANY;
	*made = (struct call_semantics){
		.act = ACT_NONE,
		.is_local = true,
		.process = user->process,
		.dest_process = NO_PROCESS,
		.source_process = NO_PROCESS,
		.number = replay->call_count++,
		.kind = kind,
		.request = -1,
		.dest = RANK_NULL,
		.source = RANK_NULL,
		.call = call_that_opened(&replay->reader->processes[user->process], user->record)};
	mention_call(&replay->rows, made);
	return made;
}

static int64_t moment_of(struct replay *replay, uint32_t process, uint64_t tick)
{
	return clock_piece_ns(&replay->clocks[replay->time->clocks->line_of[process]], tick) - replay->origin;
}

static void write_file(struct replay *replay, const struct file_user *user)
{
	const struct file_sums *sums = &user->sums;
	const struct file_transfers *read = &sums->moved[FILE_READ], *written = &sums->moved[FILE_WRITTEN];
	const struct file_transfers *small = &sums->small[FILE_WRITTEN];
	const int64_t start = moment_of(replay, user->process, user->record->first),
		      end = moment_of(replay, user->process, user->record->last);
	struct file_use row = {
		.call = {.semantics = opening_of(replay, user),
	                 .start = start,
	                 .end = end > start ? end : start},
		.path = user->record->number ? user->record->path : "",
		.opens = sums->opens,
		.queries = sums->stats,
		.seeks = sums->seeks,
		.syncs = sums->syncs,
		.extent = (int64_t)(user->record->end > user->record->begin && user->record->end < INT64_MAX
	                                    ? user->record->end - user->record->begin
	                                    : 0),
		.other_time = sums->other_ns,
		.reads = read->calls,
		.read = (int64_t)read->bytes,
		.read_time = read->ns,
		.writes = written->calls,
		.written = (int64_t)written->bytes,
		.write_time = written->ns,
		.small_writes = small->calls,
		.small_written = (int64_t)small->bytes,
		.small_write_time = small->ns};

	write_row(&replay->rows, RELATION_FILE_USE, &row);
}

void file_rows_write(struct replay *replay)
{
	if (!replay->time || !wants_rows(&replay->rows, RELATION_FILE_USE))
		return;
	for (uint32_t i = replay->session->owned.first; i < replay->session->owned.end; i++) {
		const struct process *process = &replay->reader->processes[i];
		struct file_user *users = process_file_users(
			process, i, 1e9 * clocks_seconds_per_tick(replay->time->clocks, i));

		for (size_t j = 0; j < process->file_count; j++)
			if (file_is_used(&users[j]))
				write_file(replay, &users[j]);
		free(users);
	}
}
