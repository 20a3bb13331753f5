#include "job/record/segments.h"

#include <link.h>
#include <stddef.h>

struct search {
	uintptr_t address;
	bool (*question)(const char *path);
	struct segment found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct search *search = argument;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD || search->address - start >= header->p_memsz)
			continue;
		search->found = (struct segment){
			.start = start,
			.end = start + header->p_memsz,
			.is_writable = header->p_flags & PF_W,
			.is_asked_for = search->question && search->question(info->dlpi_name),
		};
		return 1;
	}
	return 0;
}

struct segment segment_of(uintptr_t address, bool (*question)(const char *path))
{
	struct search search = {.address = address, .question = question};

	dl_iterate_phdr(look_into, &search);
	return search.found;
}
