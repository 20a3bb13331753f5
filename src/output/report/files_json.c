/* Files, for programs and the page: the records of the member `files`. */
#include "output/report/fields.h"
#include "output/report/files.h"

/* In a page; the sum of the others is one more. */
enum { FOLDED_FILES = 200, FOLDED_USERS = 64 };

static const char *const direction_keys[] = {"reads", "writes"};
static const char *const interface_keys[] = {"system", "stdio", "below_mpi_io"};
static const char *const mpi_keys[] = {"mpi_io_reads", "mpi_io_writes"};

static void add_sizes(struct json *json, const struct file_transfers *by_size)
{
	json_open(json, "sizes", '[');
	for (size_t i = 0; i < FILE_SIZE_CLASSES; i++) {
		if (!by_size[i].calls)
			continue;
		json_open(json, NULL, '{');
		json_number(json, "from_bytes", (int64_t)file_size_start(i));
		if (i + 1 < FILE_SIZE_CLASSES)
			json_number(json, "to_bytes", (int64_t)file_size_start(i + 1) - 1);
		else
			json_null(json, "to_bytes");
		json_number(json, "calls", (int64_t)by_size[i].calls);
		json_number(json, "bytes", (int64_t)by_size[i].bytes);
		json_seconds(json, "inside_s", by_size[i].ns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_direction(struct json *json, const struct used_file *file, enum file_direction direction)
{
	const struct file_transfers *moved = &file->sums.moved[direction];

	json_open(json, direction_keys[direction], '{');
	json_record(json, "total", transfer_fields, moved);
	json_text(json, "pattern",
	          moved->calls ? access_pattern_names[access_pattern_of(moved, file->movers[direction])]
	                       : NULL);
	for (size_t i = 0; i < FILE_INTERFACES; i++) {
		const struct file_transfers *part = &file->by_interface[direction][i];
		if (part->calls)
			json_record(json, interface_keys[i], transfer_fields, part);
	}
	add_sizes(json, file->by_size[direction]);
	json_close(json, '}');
	if (file->mpi[direction].calls)
		json_record(json, mpi_keys[direction], mpi_file_fields, &file->mpi[direction]);
}

static void add_user(struct json *json, const struct reader *reader, const struct file_user *user)
{
	json_open(json, NULL, '{');
	json_rank(json, "rank", &reader->processes[user->process]);
	json_number(json, "read_bytes", (int64_t)user->sums.moved[FILE_READ].bytes);
	json_number(json, "written_bytes", (int64_t)user->sums.moved[FILE_WRITTEN].bytes);
	json_number(json, "reads", (int64_t)user->sums.moved[FILE_READ].calls);
	json_number(json, "writes", (int64_t)user->sums.moved[FILE_WRITTEN].calls);
	json_seconds(json, "inside_s", user->sums.inside_ns);
	json_close(json, '}');
}

static void add_file(struct json *json, const struct shown_figures *shown, const struct used_file *file)
{
	const struct reader *reader = shown->reader;
	const size_t users = shown->is_folded ? smaller(file->user_count, FOLDED_USERS) : file->user_count;
	scoped_text ranks = {0};

	json_open(json, NULL, '{');
	json_text(json, "path", file->path);
	json_text(json, "name", file->path ? file_name_for(shown, file) : NULL);
	add_file_ranks(reader, file, shown->is_folded ? FOLDED_RUNS : SIZE_MAX, &ranks);
	json_text(json, "ranks", text_get(&ranks));
	json_number(json, "rank_count", (int64_t)file->user_count);
	json_fields(json, file_fields, &file->sums);
	for (size_t i = 0; i < FILE_DIRECTIONS; i++)
		add_direction(json, file, (enum file_direction)i);
	json_open(json, "by_rank", '[');
	for (size_t i = 0; i < users; i++)
		add_user(json, reader, &file->users[i]);
	json_close_all(json, "]}");
}

void json_files(struct json *json, const struct shown_figures *shown)
{
	const struct file_usage *files = shown->files;

	if (!files) {
		json_null(json, "files");
		return;
	}
	json_open(json, "files", '[');
	for (size_t i = 0; i < files->file_count; i++)
		if (!shown->is_folded || i < FOLDED_FILES)
			add_file(json, shown, &files->files[i]);
	json_close(json, ']');
}
