#include "analysis/model/spans.h"
#include "base/memory.h"
#include "output/report/files.h"
#include "output/report/sheet.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INDENT = 2, LABEL = 22, COLUMN = 11, CALLS_COLUMN = 13, RANK_RUNS = 4 };

const char *file_name_for(const struct shown_figures *shown, const struct used_file *file)
{
	return file_short_path(&shown->reader->processes[file->users[0].process], file->path);
}

void add_file_ranks(const struct reader *reader, const struct used_file *file, size_t runs, struct text *out)
{
	struct number_list list = {.at = memory_new(file->user_count + 1, sizeof *list.at),
	                           .count = file->user_count};
	size_t hidden;

	for (size_t i = 0; i < file->user_count; i++)
		list.at[i] = file->users[i].process;
	hidden = add_rank_runs(reader, &list, runs, out);
	if (hidden)
		text_add(out, ",…");
	free(list.at);
}

/* Reads or writes of a process. */
static void describe_use(const struct sheet *sheet, const char *rank, const char *name,
                         enum file_direction direction, const struct file_transfers *moved, struct text *out)
{
	scoped_text bytes = {0}, piece = {0};

	text_add_size_in(&bytes, sheet->locale, moved->bytes);
	text_add_size_in(&piece, sheet->locale, moved->calls ? moved->bytes / moved->calls : 0);
	add_filled_phrase(out, sheet->language,
	                  direction == FILE_WRITTEN ? "$1 writes $2, $3 in pieces of $4"
	                                            : "$1 reads $2, $3 in pieces of $4",
	                  (const char *[]){rank, name, text_get(&bytes), text_get(&piece)});
}

/* The sums of a process. */
struct own_files {
	const struct used_file *file; /* with the most time in one direction; NULL: none */
	enum file_direction direction;
	const struct file_transfers *moved;
	int64_t inside_ns; /* in calls on all files */
};

static struct own_files files_of(const struct file_usage *files, uint32_t process)
{
	struct own_files own = {0};

	for (size_t i = 0; i < files->file_count; i++)
		for (size_t j = 0; j < files->files[i].user_count; j++) {
			const struct file_user *user = &files->files[i].users[j];

			if (user->process != process)
				continue;
			own.inside_ns = saturating_add(own.inside_ns, user->sums.inside_ns);
			for (size_t k = 0; k < FILE_DIRECTIONS && files->files[i].path; k++) {
				const struct file_transfers *moved = &user->sums.moved[k];

				if (!moved->calls || (own.file && moved->ns <= own.moved->ns))
					continue;
				own.file = &files->files[i];
				own.direction = (enum file_direction)k;
				own.moved = moved;
			}
		}
	return own;
}

/* The recorder knows sums of the whole run only. If they are about as long as the process works at this place, it works on files there:
 * more would be elsewhere. */
#define LEAST_PART 0.5
#define MOST_PART 1.1

bool describe_file_work(const struct sheet *sheet, const struct report_cause *cause, bool is_short,
                        struct text *out)
{
	const struct report *report = sheet->report;
	scoped_text rank = {0}, name = {0};
	struct own_files own;
	int64_t there = 0;

	if (!report->files || cause->kind != CAUSE_COMPUTING || cause->processes.count != 1)
		return false;
	for (size_t i = 0; i < cause->part_count; i++)
		if (cause->parts[i].process == cause->processes.at[0])
			there = max_ns(there, cause->parts[i].own_ns);
	own = files_of(report->files, cause->processes.at[0]);
	if (!own.file || (double)own.inside_ns < LEAST_PART * (double)there ||
	    (double)own.inside_ns > MOST_PART * (double)there)
		return false;
	sheet_ranks(sheet, &rank, &cause->processes);
	text_add(&name, "%s",
	         file_short_path(&report->analysis->reader->processes[cause->processes.at[0]],
	                         own.file->path));
	text_make_line(&name);
	if (is_short)
		add_filled_phrase(out, sheet->language,
		                  own.direction == FILE_WRITTEN ? "$1 writes $2" : "$1 reads $2",
		                  (const char *[]){text_get(&rank), text_get(&name)});
	else
		describe_use(sheet, text_get(&rank), text_get(&name), own.direction, own.moved, out);
	return true;
}

/* A row: its label, bytes, calls, bytes per call, time, and a word. */
struct file_row {
	const char *label;
	uint64_t bytes, calls;
	int64_t ns;
	const char *word;
};

static void add_row(const struct sheet *sheet, const struct file_row *row)
{
	scoped_text value = {0};

	if (!row->calls)
		return;
	text_add_repeated(sheet->out, ' ', (size_t)2 * INDENT);
	sheet_left(sheet, phrase(sheet, row->label), LABEL);
	if (row->bytes)
		text_add_size_in(&value, sheet->locale, row->bytes);
	sheet_right(sheet, text_get(&value), COLUMN);
	text_clear(&value);
	text_add_count(&value, row->calls);
	text_add(&value, " x");
	sheet_right(sheet, text_get(&value), CALLS_COLUMN);
	text_clear(&value);
	if (row->bytes)
		text_add_size_in(&value, sheet->locale, row->bytes / row->calls);
	sheet_right(sheet, text_get(&value), COLUMN);
	text_clear(&value);
	sheet_seconds(sheet, &value, row->ns);
	sheet_right(sheet, text_get(&value), COLUMN);
	if (*row->word)
		text_add(sheet->out, "  %s", row->word);
	text_add(sheet->out, "\n");
}

static const char *pattern_word(const struct sheet *sheet, const struct file_transfers *part, size_t movers)
{
	switch (access_pattern_of(part, movers)) {
	case PATTERN_SEQUENTIAL:
		return phrase(sheet, "sequential");
	case PATTERN_STRIDED:
		return phrase(sheet, "strided");
	case PATTERN_RANDOM:
		return phrase(sheet, "random");
	default:
		return "";
	}
}

static void add_accesses(const struct sheet *sheet, const struct used_file *file)
{
	static const char *const labels[FILE_DIRECTIONS][FILE_INTERFACES] = {
		{"reads", "buffered reads", "reads below MPI-IO"},
		{"writes", "buffered writes", "writes below MPI-IO"}};
	static const char *const mpi_labels[FILE_DIRECTIONS] = {"MPI-IO reads", "MPI-IO writes"};

	for (size_t i = 0; i < FILE_DIRECTIONS; i++) {
		add_row(sheet, &(struct file_row){mpi_labels[i], file->mpi[i].bytes, file->mpi[i].calls,
		                                  file->mpi[i].ns, ""});
		for (size_t j = 0; j < FILE_INTERFACES; j++) {
			const struct file_transfers *part = &file->by_interface[i][j];

			add_row(sheet, &(struct file_row){labels[i][j], part->bytes, part->calls, part->ns,
			                                  pattern_word(sheet, part, file->movers[i])});
		}
	}
}

/* "2 opens, 1 fsync" */
static void add_others(const struct sheet *sheet, const struct file_sums *sums)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {{sums->opens, "open", "opens"},
	             {sums->stats, "query", "queries"},
	             {sums->seeks, "seek", "seeks"},
	             {sums->syncs, "fsync", "fsyncs"},
	             {sums->maps, "mmap", "mmaps"}};
	scoped_text words = {0};
	uint64_t calls = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!kinds[i].count)
			continue;
		text_add(&words, words.length ? ", " : "");
		add_counted(&words, sheet->language, kinds[i].count, kinds[i].one, kinds[i].many);
		calls += kinds[i].count;
	}
	add_row(sheet, &(struct file_row){"other calls", 0, calls, sums->other_ns, text_get(&words)});
}

static void add_file(const struct sheet *sheet, const struct shown_figures *shown,
                     const struct used_file *file)
{
	const struct file_sums *sums = &file->sums;
	scoped_text words = {0}, ranks = {0};

	add_file_ranks(shown->reader, file, RANK_RUNS, &ranks);
	text_add(&words, "%s (%s%s)", file->path ? file_name_for(shown, file) : phrase(sheet, "other files"),
	         phrase(sheet, file->user_count > 1 ? "ranks " : "rank "), text_get(&ranks));
	text_make_line(&words);
	text_add_repeated(sheet->out, ' ', INDENT);
	add_elided(sheet->out, text_get(&words), sheet->style->width - INDENT);
	text_add(sheet->out, "\n");
	add_accesses(sheet, file);
	add_others(sheet, sums);
}

void add_files(const struct sheet *sheet, const struct shown_figures *shown, size_t most)
{
	const struct file_usage *files = shown->files;
	struct text words = {0};

	if (!files || !files->file_count)
		return;
	sheet_title(sheet, "Files (bytes, calls, bytes per call, time inside the calls, all ranks)");
	for (size_t i = 0; i < files->file_count && i < most; i++)
		add_file(sheet, shown, &files->files[i]);
	if (files->file_count > most)
		add_counted(&words, sheet->language, files->file_count - most,
		            "more file; 'tarry report --all' shows it",
		            "more files; 'tarry report --all' shows them");
	if (words.length)
		sheet_paragraph(sheet, INDENT, &words);
	if (files->unlisted) {
		struct text limit = {0};
		add_counted(&limit, sheet->language, files->unlisted,
		            "process used more files than it could list, and summed up the others",
		            "processes used more files than they could list, and summed up the others");
		sheet_paragraph(sheet, INDENT, &limit);
	}
}
