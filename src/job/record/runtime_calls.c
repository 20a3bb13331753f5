#include "job/record/runtime_calls.h"

#include "base/upc_program.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"

#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets in the program's file, like those of sites. */
struct function_range {
	uint64_t start, end;
};

static struct function_range *ranges;
static size_t range_count;
static uintptr_t program;      /* an address in it */
static uintptr_t program_base; /* the load address */

/* The program itself is first. */
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

/* The file may be incomplete. */
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

bool runtime_calls_find(void)
{
	struct stat about;
	bool is_ours = false;
	char *file;
	int fd;

	dl_iterate_phdr(find_note, &is_ours);
	if (!is_ours)
		return false;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
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

/* Modules get numbers after the trace is open, which is later than runtime_calls_find(). The program keeps its number. */
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

/* The return address may be after the function's last instruction. Addresses outside of the program are in no range. */
bool is_runtime_call(int64_t site)
{
	struct path_node node;

	if (site >= 0)
		return is_in_ranges((uint64_t)site - program_base - 1);
	node = place_get(place_of_word(site));
	return node.module == program_number() && node.offset && is_in_ranges(node.offset - 1);
}
