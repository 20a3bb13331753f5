#include "analysis/rules/modules.h"
#include "analysis/rules/checker.h"
#include "base/memory.h"
#include "base/paths.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".rules"

/* Nesting of imports. */
enum { DEPTH_MAX = 64, MODULES_MAX = 1000, BYTES_MAX = 64 << 20 };

struct rule_module {
	const char *real; /* real path, its identity */
	const char *path; /* as in its declarations */
	struct rule_module **imports;
	size_t import_count;
	const char **visible; /* after the first query */
	size_t visible_count;
	bool is_loading;
	struct token imported; /* place of the import, while it is loading */
	const struct rule_module *importer;
	struct rule_module *next;
};

static struct rule_module *load(struct modules *modules, const char *path, struct token imported,
                                const struct rule_module *importer, int depth);

static bool is_a_path(const char *name)
{
	return text_begins(name, "./") || text_begins(name, "../") || *name == '/';
}

/* "./x.rules" is relative to the importing file, other paths are shipped files. */
static const char *path_of_import(const struct modules *modules, const struct rule_source *source,
                                  const char *name)
{
	const char *folder = modules->shipped ? modules->shipped : ".";
	const char *importer = path_name(source->path), *suffix = text_ends(name, SUFFIX) ? "" : SUFFIX;
	const char *beside = text_begins(name, "./") ? name + 2 : name;

	if (*name == '/' || (is_a_path(name) && importer == source->path))
		return arena_format(modules->arena, "%s%s", beside, suffix);
	if (is_a_path(name))
		folder = arena_bytes_as_text(modules->arena, source->path,
		                             (size_t)(importer - source->path - 1));
	return arena_format(modules->arena, "%s/%s%s", folder, beside, suffix);
}

static void error_no_module(const struct modules *modules, struct token name, const char *path)
{
	bool is_shipped = !is_a_path(name.text);
	struct nearest nearest = {.word = name.text};
	DIR *folder = is_shipped && modules->shipped ? opendir(modules->shipped) : NULL;
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (text_ends(entry->d_name, SUFFIX))
			nearest_offer(&nearest, arena_bytes_as_text(modules->arena, entry->d_name,
			                                            strlen(entry->d_name) - strlen(SUFFIX)));
	if (folder)
		closedir(folder);
	if (nearest_found(&nearest))
		add_error(modules->errors, name.place, "there is no module '%s': did you mean '%s'?",
		          name.text, nearest_found(&nearest));
	else
		add_error(modules->errors, name.place, "there is no %smodule '%s': looked for '%s'%s",
		          is_shipped ? "shipped " : "", name.text, path,
		          is_shipped ? "; a file of your own begins with './'" : "");
}

static void import(struct modules *modules, const struct declaration *declaration,
                   struct rule_module *importer, int depth)
{
	const char *path = path_of_import(modules, declaration->place.source, declaration->path.text);
	struct rule_module *imported = NULL;
	struct stat stat_of;

	if (stat(path, &stat_of) != 0)
		error_no_module(modules, declaration->path, path);
	else if (!S_ISREG(stat_of.st_mode))
		add_error(modules->errors, declaration->path.place, "'%s' is not a file", path);
	else
		imported = load(modules, path, declaration->path, importer, depth + 1);
	if (imported)
		arena_add(modules->arena, importer->imports, importer->import_count, imported);
}

static void read_module(struct modules *modules, const char *path, struct rule_module *module, int depth)
{
	struct declaration *first;
	struct rule_source *source;
	struct source_range flaw = module->imported.place;
	const char *wrong = source_read(modules->arena, path, &source) == OK ? NULL : trail_text();

	if (!wrong) {
		modules->bytes += source->size;
		wrong = source_flaw(source, &flaw);
	}
	if (wrong) {
		add_error(modules->errors, flaw, "%s", wrong);
		return;
	}
	first = parse_file(modules->arena, source, modules->without_tests, modules->errors);
	for (const struct declaration *d = first; d; d = d->next)
		if (d->kind == DECLARE_IMPORT)
			import(modules, d, module, depth);
	arena_add(modules->arena, modules->files, modules->count, first);
}

static struct rule_module *load(struct modules *modules, const char *path, struct token imported,
                                const struct rule_module *importer, int depth)
{
	char *resolved = realpath(path, NULL);
	const char *real = arena_text(modules->arena, resolved ? resolved : path);
	struct rule_module *module = modules->all;

	free(resolved);
	while (module && strcmp(module->real, real) != 0)
		module = module->next;
	if (module && module->is_loading) {
		add_error(modules->errors, imported.place, "'%s' imports itself", path_name(module->real));
		for (; importer && importer != module; importer = importer->importer)
			add_error_note(modules->errors, importer->imported.place,
			               "through '%s', which is imported here", path_name(importer->real));
	}
	if (module)
		return module;
	if (depth > DEPTH_MAX || modules->count >= MODULES_MAX || modules->bytes >= BYTES_MAX)
		return add_error(
			modules->errors, imported.place,
			"too many rules: %d files and %d MiB in all are allowed, and %d imports in each other",
			MODULES_MAX, BYTES_MAX >> 20, DEPTH_MAX);
	module = arena_new(modules->arena, struct rule_module);
	*module = (struct rule_module){.real = real,
	                               .path = arena_text(modules->arena, path),
	                               .is_loading = true,
	                               .imported = imported,
	                               .importer = importer,
	                               .next = modules->all};
	modules->all = module;
	read_module(modules, path, module, depth);
	module->is_loading = false;
	return module;
}

static void add_visible(const struct modules *modules, struct rule_module *module,
                        const struct rule_module *from)
{
	for (size_t i = 0; i < module->visible_count; i++)
		if (strcmp(module->visible[i], from->path) == 0)
			return;
	arena_add(modules->arena, module->visible, module->visible_count, from->path);
	for (size_t i = 0; i < from->import_count; i++)
		add_visible(modules, module, from->imports[i]);
}

const char *const *modules_visible(const struct modules *modules, const char *path, size_t *count)
{
	struct rule_module *module = modules->all;

	while (module && strcmp(module->path, path) != 0)
		module = module->next;
	if (module && !module->visible_count)
		add_visible(modules, module, module);
	*count = module ? module->visible_count : 0;
	return module ? module->visible : NULL;
}

static int is_rule_file(const struct dirent *entry)
{
	return text_ends(entry->d_name, SUFFIX) && *entry->d_name != '.';
}

void modules_load(struct modules *modules, const struct rule_options *options)
{
	struct dirent **entries = NULL;
	int count = 0;

	modules->shipped = options->shipped;
	modules->without_tests = options->without_tests;
	if (!options->without_shipped && options->shipped)
		count = scandir(modules->shipped, &entries, is_rule_file, alphasort);
	if (count < 0)
		add_error(modules->errors, (struct source_range){0},
		          "the shipped rules are missing: there is no folder '%s'", modules->shipped);
	for (int i = 0; i < count; i++) {
		load(modules, arena_format(modules->arena, "%s/%s", modules->shipped, entries[i]->d_name),
		     (struct token){0}, NULL, 0);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	for (size_t i = 0; options->files && options->files[i]; i++)
		load(modules, options->files[i], (struct token){0}, NULL, 0);
}
