#include "job/record/selection.h"

#include "base/files.h"
#include "base/settings.h"
#include "base/upc_program.h"
#include "calls/calls.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/process.h"
#include "job/record/skipped.h"
#include "job/record/stream_define.h"
#include "job/record/summary.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* MPI calls of a UPC runtime inside the program: Berkeley UPC over MPI (-network=mpi) polls and sends with AMMPI, a library of GASNet that is
 * linked into the program. Users cannot fix problems there, so such calls are excluded.
 *
 * They are recognised by the calling function: in the program's symbol table, it has a name of GASNet or AMMPI, or belongs to one of their
 * files. In a stripped program all calls are recorded. */

/* Offsets in the program's file, like those of sites. */
struct function_range {
	uint64_t start, end;
};

static struct function_range *ranges;
static size_t range_count;
static uintptr_t program;      /* an address in the program */
static uintptr_t program_base; /* the load address */

/* The loader lists the program itself first. */
static int find_note(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const char *notes = (const char *)(info->dlpi_addr +
		                                   header->p_vaddr); /* NOLINT: from the loader */

		if (header->p_type == PT_NOTE &&
		    memmem(notes, header->p_memsz, UPC_PROGRAM_OWNER, sizeof UPC_PROGRAM_OWNER))
			*(bool *)found = true;
	}
	program_base = info->dlpi_addr;
	program = program_base + info->dlpi_phdr[0].p_vaddr;
	return 1;
}

static bool starts_with_any(const char *name, const char *const *starts)
{
	while (*starts && strncmp(name, *starts, strlen(*starts)) != 0)
		starts++;
	return *starts;
}

/* Local symbols follow the name of their file. */
static void gather(const ElfW(Sym) * symbols, size_t count, const char *names, size_t name_bytes)
{
	static const char *const functions[] = {"AMMPI_", "AM_Init_AMMPI",  "AM_Terminate",
	                                        "gasnet", "maybe_MPI_Init", NULL},
				 *const files[] = {"ammpi_", "gasnet_", NULL};
	bool is_in_file = false;

	for (size_t i = 0; i < count; i++) {
		const ElfW(Sym) *symbol = &symbols[i];
		const char *name = symbol->st_name < name_bytes ? names + symbol->st_name : "";
		const int type = ELF64_ST_TYPE(symbol->st_info);
		if (type == STT_FILE)
			is_in_file = starts_with_any(name, files);
		if (ELF64_ST_BIND(symbol->st_info) != STB_LOCAL)
			is_in_file = false;
		if (type == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_size &&
		    (is_in_file || starts_with_any(name, functions)))
			ranges[range_count++] = (struct function_range){symbol->st_value,
			                                                symbol->st_value + symbol->st_size};
	}
}

/* The file may be truncated, so every range in it is checked. */
static void read_symbols(const char *file, size_t bytes)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
	const ElfW(Shdr) * sections, *names;

	if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_shoff > bytes || header->e_shnum > (bytes - header->e_shoff) / sizeof *sections ||
	    header->e_shoff % _Alignof(ElfW(Shdr)))
		return;
	sections = (const ElfW(Shdr) *)(file + header->e_shoff);
	for (size_t i = 0; i < header->e_shnum; i++) {
		const ElfW(Shdr) *section = &sections[i];
		if (section->sh_type != SHT_SYMTAB || section->sh_link >= header->e_shnum)
			continue;
		names = &sections[section->sh_link];
		if (section->sh_offset > bytes || section->sh_size > bytes - section->sh_offset ||
		    section->sh_offset % _Alignof(ElfW(Sym)) || names->sh_offset > bytes || !names->sh_size ||
		    names->sh_size > bytes - names->sh_offset || file[names->sh_offset + names->sh_size - 1])
			continue;
		free(ranges);
		range_count = 0;
		ranges = malloc(section->sh_size / sizeof(ElfW(Sym)) * sizeof *ranges);
		if (ranges)
			gather((const ElfW(Sym) *)(file + section->sh_offset),
			       section->sh_size / sizeof(ElfW(Sym)), file + names->sh_offset, names->sh_size);
	}
}

static int by_start(const void *one, const void *other)
{
	const struct function_range *a = one, *b = other;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Looks for such functions, but only in programs that `tarry upcc` linked. False: there are none. */
static bool runtime_calls_find(void)
{
	struct stat about;
	bool is_ours = false;
	char *file;
	int fd;

	dl_iterate_phdr(find_note, &is_ours);
	if (!is_ours)
		return false;
	fd = open_uncounted(AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	file = fstat(fd, &about) == 0 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	                              : MAP_FAILED;
	close(fd);
	if (file == MAP_FAILED)
		return false;
	read_symbols(file, (size_t)about.st_size);
	munmap(file, (size_t)about.st_size);
	if (range_count)
		qsort(ranges, range_count, sizeof *ranges, by_start);
	return range_count > 0;
}

static bool is_in_ranges(uint64_t offset)
{
	size_t low = 0, high = range_count;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (ranges[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < range_count && ranges[low].start <= offset;
}

/* The number of the program's module, which never changes. Modules get numbers only after runtime_calls_find(), when the trace is open. */
static uint64_t program_number(void)
{
	static uint64_t number;
	uint64_t known = __atomic_load_n(&number, __ATOMIC_RELAXED), offset;

	if (!known) {
		site_locate(program, &known, &offset);
		__atomic_store_n(&number, known, __ATOMIC_RELAXED);
	}
	return known;
}

/* The return address may be just after the function's last instruction. Addresses outside the program are not in any range. */
static bool is_runtime_call(int64_t site)
{
	struct path_node node;

	if (site >= 0)
		return is_in_ranges((uint64_t)site - program_base - 1);
	node = place_get(place_of_word(site));
	return node.module == program_number() && node.offset && is_in_ranges(node.offset - 1);
}

enum {
	RULE_EXCLUDED = 1,
	RULE_ALWAYS = 2,  /* call_info.always_recorded */
	RULE_WATCHED = 4, /* may be the moment of --from or --to */
};

struct selection selection;

/* A moment, and how often it has occurred. */
struct selected_moment {
	bool wanted;
	struct moment moment;
	uint64_t count;
};

static struct selected_moment from, to;

/* The program's marks before the selected part, each once, for a note about a wrong name. */
static struct {
	char names[256];
	int64_t texts[8]; /* by their numbers */
	uint32_t count;
} seen;

static enum { BEFORE, DURING, AFTER } stage = DURING;
static bool is_controlled = true; /* MPI_Pcontrol pauses and resumes: neither --from nor --to is given */
static bool in_last_phase;        /* in the phase that `to` names */
static const char *refusal;       /* the error in wrong settings */
static bool has_runtime_calls;    /* the program contains runtime functions whose calls are excluded */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *setting(const char *name)
{
	const char *value = setting_get(name);

	return value && *value ? value : NULL;
}

/* These return the error in the settings, or NULL. Errors are brief, because the command line has already checked the settings. */
static const char *read_lists(void)
{
	const char *only = setting(SETTING_ONLY), *except = setting(SETTING_NOT);
	bool in[SELECTABLE] = {false}, out[SELECTABLE] = {false};

	if ((only && select_calls(only, in)) || (except && select_calls(except, out)))
		return "a name is neither a function nor a class";
	in[SELECT_MARKS] = true; /* the user placed the marks on purpose */
	for (size_t i = 0; i < SELECTABLE; i++)
		if ((only && !in[i]) || out[i])
			selection.rules[i] = RULE_EXCLUDED;
	return NULL;
}

static const char *read_watch(const char *name, struct selected_moment *watch)
{
	const char *text = setting(name), *problem;

	if (!text)
		return NULL;
	problem = moment_parse(text, &watch->moment);
	if (problem)
		return problem;
	watch->wanted = true;
	selection.rules[watch->moment.call] |= RULE_WATCHED;
	return NULL;
}

static void activate(void)
{
	for (enum call_id id = 0; id < ALL_CALLS; id++)
		if (all_calls[id].always_recorded)
			selection.rules[id] = (uint8_t)(RULE_ALWAYS | (selection.rules[id] & RULE_WATCHED));
	if (is_controlled)
		selection.rules[CALL_Pcontrol] |= RULE_WATCHED;
	/* Excluded calls are counted only if they affect recorded ones. */
	bool traffic = false, collectives = false, completions = false;
	for (uint32_t i = 0; i < ALL_CALLS && !selection.sums; i++) {
		selection.kinds[i] = (uint8_t)skipped_kind(i);
		if (selection.rules[i] & (RULE_EXCLUDED | RULE_ALWAYS))
			continue;
		traffic |= selection.kinds[i] & SKIPPED_TRAFFIC;
		collectives |= selection.kinds[i] & SKIPPED_COLLECTIVE;
		completions |= selection.kinds[i] & SKIPPED_COMPLETES;
	}
	for (uint32_t i = 0; i < ALL_CALLS; i++) {
		if (!collectives)
			selection.kinds[i] &= (uint8_t)~SKIPPED_COLLECTIVE;
		if (!traffic)
			selection.kinds[i] &= SKIPPED_COLLECTIVE;
		selection.counts |= selection.rules[i] & RULE_EXCLUDED && selection.kinds[i];
	}
	if (!completions)
		skipped_without_completions();
	RELAXED_STORE(selection.active, true);
}

static bool has_settings(void)
{
	return setting(SETTING_ONLY) || setting(SETTING_NOT) || setting(SETTING_FROM) ||
	       setting(SETTING_TO) || setting(SETTING_SUMMARY);
}

static void read_settings(void)
{
	if (!has_settings())
		return;
	refusal = read_lists();
	if (!refusal)
		refusal = read_watch(SETTING_FROM, &from);
	if (!refusal)
		refusal = read_watch(SETTING_TO, &to);
	if (refusal) {
		memset(selection.rules, 0, sizeof selection.rules);
		return;
	}
	selection.sums = setting(SETTING_SUMMARY);
	is_controlled = !from.wanted && !to.wanted;
	stage = from.wanted ? BEFORE : DURING;
	selection.paused = stage != DURING;
	activate();
}

static void read_once(void)
{
	read_settings();
	has_runtime_calls = runtime_calls_find();
	if (has_runtime_calls && !selection.active)
		activate();
}

void selection_read(void)
{
	pthread_once(&once, read_once);
}

void selection_describe(void)
{
	static const struct {
		const char *variable, *option;
	} rules[] = {{SETTING_ONLY, "--only"},
	             {SETTING_NOT, "--not"},
	             {SETTING_FROM, "--from"},
	             {SETTING_TO, "--to"}};
	char text[4096];

	if (refusal)
		process_note("process %u records everything, because the selection is wrong: %s",
		             process.rank, refusal);
	for (size_t i = 0; i < sizeof rules / sizeof *rules && selection.active; i++)
		if (setting(rules[i].variable)) {
			snprintf(text, sizeof text, "%s %s", rules[i].option, setting(rules[i].variable));
			process_property("selection", text);
		}
	if (selection.sums)
		process_property("summary", "SUMMED");
	else if (selection.active && has_settings())
		process_property("counted", "SKIPPED");
}

void selection_conclude(void)
{
	char text[512];

	if (!selection.active || stage != BEFORE)
		return;
	snprintf(text, sizeof text, "--from %s", setting(SETTING_FROM));
	process_property("never_came", text);
	if (*seen.names)
		process_property("seen", seen.names);
}

/* Traced functions are named by the user's rules, so lists do not exclude them. */
static uint8_t rules_of(uint32_t id)
{
	return id < ALL_CALLS ? selection.rules[id] : id < SHAPES ? selection.rules[SELECT_MARKS] : 0;
}

static bool is_about(const struct moment *moment, const int64_t *key)
{
	uint32_t id = (uint32_t)key[KEY_WHAT];

	if (moment->call == ALL_CALLS)
		return id >= ALL_CALLS && id < SHAPES && strcmp(text_of(key[KEY_VALUES]), moment->name) == 0;
	return id == moment->call && (!moment->has_level || key[KEY_VALUES] == moment->level);
}

static void enter_stage(int next, uint64_t tick)
{
	stage = next;
	if (next != DURING)
		skipped_begin();
	RELAXED_STORE(selection.switched_tick, tick);
	__atomic_store_n(&selection.paused, next != DURING, __ATOMIC_RELEASE); /* publishes the tick too */
	__atomic_add_fetch(&object_generation, 1, __ATOMIC_RELEASE);
}

/* Counts an occurrence of the last moment, which may end the selected part. */
static void count_end(uint64_t tick)
{
	to.count++;
	if (stage == DURING && to.count >= to.moment.nth)
		enter_stage(AFTER, tick);
}

static void note_mark(int64_t text)
{
	size_t length = strlen(seen.names);

	for (uint32_t i = 0; i < seen.count; i++)
		if (strcmp(text_of(seen.texts[i]), text_of(text)) == 0)
			return;
	if (seen.count == sizeof seen.texts / sizeof *seen.texts ||
	    length + strlen(text_of(text)) + 3 > sizeof seen.names)
		return;
	seen.texts[seen.count++] = text;
	snprintf(seen.names + length, sizeof seen.names - length, "%s%s", length ? ", " : "", text_of(text));
}

static void watch_before(const int64_t *key, uint64_t tick)
{
	uint32_t id = (uint32_t)key[KEY_WHAT];

	if (is_controlled && id == CALL_Pcontrol && key[KEY_VALUES] && stage == AFTER)
		enter_stage(DURING, tick);
	if (stage == BEFORE && id >= ALL_CALLS && id < SHAPES)
		note_mark(key[KEY_VALUES]);
	if (to.wanted && id == USER_PHASE && to.moment.call == ALL_CALLS) {
		/* A phase ends when another one begins. */
		bool begins = is_about(&to.moment, key);
		if (in_last_phase && !begins)
			count_end(tick);
		in_last_phase = begins;
	}
	if (!from.wanted || id == USER_REGION_END || !is_about(&from.moment, key))
		return;
	from.count++;
	if (stage == BEFORE && from.count >= from.moment.nth)
		enter_stage(DURING, tick);
}

static void watch_after(const int64_t *key, uint64_t tick)
{
	uint32_t id = (uint32_t)key[KEY_WHAT];

	if (is_controlled && id == CALL_Pcontrol && !key[KEY_VALUES] && stage == DURING)
		enter_stage(AFTER, tick);
	if (to.wanted && id != USER_REGION_BEGIN && id != USER_PHASE && is_about(&to.moment, key))
		count_end(tick);
}

void selection_control(const int64_t *key, uint64_t end)
{
	if (key[KEY_VALUES] || refusal)
		return;
	process_lock();
	if (!selection.active)
		activate();
	watch_after(key, end);
	process_unlock();
}

/* Resumes recording. The first thread that resumes writes the skipped calls. */
static void resume(struct recording_stream *s, uint64_t tick)
{
	process_lock_if_shared();
	stream_pause(s, tick, true, skipped_are_counted());
	skipped_write(s, tick);
	process_unlock_if_shared();
}

/* Sends and receives. MPI_Start counts as one, because finding its request would take too long. */
static bool is_of_messages(const struct call_info *call)
{
	bool one_to_one = call->class == CLASS_POINT_TO_POINT || call->class == CLASS_PERSISTENT ||
	                  call->class == CLASS_PARTITIONED || call->class == CLASS_PROBE;

	return call->starts || (one_to_one && call->moves);
}

/* Called before the event of a recorded call, and instead of the event of an excluded one. */
static void count_skipped(struct recording_stream *s, bool is_recorded, const int64_t *key, uint32_t words,
                          uint64_t start, uint64_t end)
{
	uint32_t id = (uint32_t)key[KEY_WHAT], kind = id < ALL_CALLS ? selection.kinds[id] : 0;

	if (!kind || (is_recorded && !selection.counts))
		return;
	process_lock_if_shared();
	if (!is_recorded) {
		skipped_add(s, kind, key, words, end);
	} else {
		if (skipped_are_pending())
			skipped_write(s, start);
		skipped_recorded(kind, key, words);
	}
	if (!s->paused && !skipped_are_counted()) {
		stream_pause(s, start, false, false);
		stream_pause(s, start, true, false);
	}
	process_unlock_if_shared();
}

static bool is_runtimes(uint32_t id, int64_t site)
{
	return has_runtime_calls && id <= CALLS_BEFORE_UPC && !(rules_of(id) & RULE_ALWAYS) &&
	       is_runtime_call(site);
}

bool selection_wants(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                     uint64_t end)
{
	uint8_t rules = rules_of((uint32_t)key[KEY_WHAT]);
	bool wanted;

	/* Runtimes use their own communicators, so their calls do not affect the order of other calls. */
	if (is_runtimes((uint32_t)key[KEY_WHAT], key[KEY_SITE]))
		return false;

	if (rules & RULE_WATCHED) {
		process_lock();
		watch_before(key, start);
	}
	/* Records the pauses since the thread's last call in its stream. */
	bool paused = __atomic_load_n(&selection.paused, __ATOMIC_ACQUIRE);
	uint64_t tick = RELAXED_LOAD(selection.switched_tick);
	if (s->paused != paused) {
		if (paused)
			stream_pause(s, tick > s->encoder.last_end ? tick : s->encoder.last_end, false, true);
		else
			resume(s, tick < start ? tick : start);
	}
	if (s->paused && rules & RULE_ALWAYS)
		resume(s, start);
	wanted = !s->paused && !(rules & RULE_EXCLUDED);
	count_skipped(s, wanted, key, words, start, end);
	if (selection.sums && wanted) {
		wanted = rules & RULE_ALWAYS;
		if (wanted)
			summary_interrupt(s, start);
		else
			summary_add(s, key, words, start, end);
	}
	if (rules & RULE_WATCHED) {
		watch_after(key, end);
		process_unlock();
	}
	if (!s->paused && rules & RULE_EXCLUDED) {
		/* Messages are matched by their order, so the trace says that some are missing. */
		uint32_t id = (uint32_t)key[KEY_WHAT];
		static bool is_noted;
		if (!RELAXED_LOAD(is_noted) && id < ALL_CALLS && is_of_messages(&all_calls[id]) &&
		    !__atomic_exchange_n(&is_noted, true, __ATOMIC_RELAXED))
			process_property("left_out", all_calls[id].name);
	}
	return wanted;
}

bool selection_lets_open(const struct recording_stream *s, uint32_t id, int64_t site)
{
	return !s->paused && !(rules_of(id) & (RULE_EXCLUDED | RULE_WATCHED)) && !is_runtimes(id, site);
}

bool selection_lets_expect(const struct recording_stream *s, uint32_t id, int64_t site)
{
	return selection_lets_open(s, id, site) &&
	       !(selection.counts && id < ALL_CALLS && selection.kinds[id]) && !selection.sums;
}

/* Classes of functions that never call other MPI functions by their public names. Such inner calls would seem to be the program's own. */
static bool stays_inside(enum call_class class)
{
	static const enum call_class classes[] = {
		CLASS_ENVIRONMENT, CLASS_POINT_TO_POINT, CLASS_PROBE,        CLASS_BUFFER, CLASS_COLLECTIVE,
		CLASS_GROUP,       CLASS_DATATYPE,       CLASS_COMMUNICATOR, CLASS_PACK,   CLASS_STATUS};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (class == classes[i])
			return true;
	return false;
}

/* Whether the function creates, completes or frees an object that the recorder tracks. */
static bool is_followed(const struct call_info *call)
{
	static const enum parameter_kind kinds[] = {
		KIND_newrequest, KIND_request, KIND_inrequest,  KIND_requests, KIND_newcomm,
		KIND_oldcomm,    KIND_newtype, KIND_oldtype,    KIND_message,  KIND_newmessage,
		KIND_newsession, KIND_newwin,  KIND_oldsession, KIND_newfile};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (call_has(call, kinds[i]))
			return true;
	return false;
}

__attribute__((visibility("default"))) int tarry_lets_through(const char *symbol)
{
	const struct call_info *call = call_find(symbol);

	selection_read();
	return call && selection.active && selection.rules[call - all_calls] == RULE_EXCLUDED &&
	       !selection.kinds[call - all_calls] && stays_inside(call->class) && !is_followed(call);
}
