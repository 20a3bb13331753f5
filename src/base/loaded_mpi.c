#include "base/loaded_mpi.h"

#include <stdint.h>
#include <string.h>

/* Symbol tables of a loaded file. */
struct symbol_tables {
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash; /* DT_GNU_HASH */
};

static struct symbol_tables tables_of(const struct link_map *file)
{
	struct symbol_tables tables = {0};

	for (const ElfW(Dyn) *entry = file->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
		/* NOLINTBEGIN(performance-no-int-to-ptr): addresses in our own memory */
		if (entry->d_tag == DT_SYMTAB)
			tables.symbols = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRTAB)
			tables.names = (const void *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_GNU_HASH)
			tables.hash = (const void *)entry->d_un.d_ptr;
		/* NOLINTEND(performance-no-int-to-ptr) */
	}
	return tables;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* This table contains only symbols that the file defines. */
static bool defines(const struct symbol_tables *tables, const char *name)
{
	const uint32_t wanted = hash_of(name), bucket_count = tables->hash[0], first = tables->hash[1],
		       filter_words = tables->hash[2];
	const uint32_t *buckets = tables->hash + 4 + filter_words * sizeof(ElfW(Addr)) / sizeof(uint32_t);
	const uint32_t *chains = buckets + bucket_count;
	uint32_t i = bucket_count ? buckets[wanted % bucket_count] : 0;

	if (i < first)
		return false;
	for (;; i++) {
		const uint32_t hash = chains[i - first];

		if ((hash | 1) == (wanted | 1) &&
		    strcmp(tables->names + tables->symbols[i].st_name, name) == 0)
			return true;
		if (hash & 1) /* the last of its bucket */
			return false;
	}
}

static bool defines_any(const struct link_map *file, const char *const *names)
{
	struct symbol_tables tables;

	/* The vDSO has offsets here instead of addresses. */
	if (!file || !strchr(file->l_name, '/'))
		return false;
	tables = tables_of(file);
	if (!tables.symbols || !tables.names || !tables.hash)
		return false;
	for (; *names; names++)
		if (defines(&tables, *names))
			return true;
	return false;
}

const struct link_map *loaded_files(void)
{
	return _r_debug.r_map;
}

const struct link_map *loaded_file_find(const char *path)
{
	const struct link_map *file = loaded_files();

	while (file && strcmp(file->l_name, path) != 0)
		file = file->l_next;
	return file;
}

bool loaded_file_is_mpi(const struct link_map *file)
{
	static const char *const names[] = {"PMPI_Comm_rank", NULL};

	return defines_any(file, names);
}

bool loaded_file_is_part_of_mpi(const struct link_map *file)
{
	/* mpif.h and `use mpi`, as compilers spell them; `use mpi_f08` of Open MPI and of MPICH. */
	static const char *const names[] = {"PMPI_Comm_rank",      "pmpi_comm_rank_",      "PMPI_COMM_RANK",
	                                    "pmpi_comm_rank_f08_", "pmpir_comm_rank_f08_", NULL};

	return defines_any(file, names);
}
