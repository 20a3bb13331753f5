#include "analysis/symbols/elf_file.h"

#include "base/files.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static const char *copy_string(Elf *elf, const GElf_Shdr *section, size_t offset, struct arena *arena)
{
	const char *text = elf_strptr(elf, section->sh_link, offset);

	return text ? arena_text(arena, text) : "";
}

static void read_dynamic(Elf *elf, Elf_Data *data, const GElf_Shdr *section, struct arena *arena,
                         struct elf_file *file)
{
	size_t count = section->sh_entsize ? section->sh_size / section->sh_entsize : 0;
	GElf_Dyn entry;

	file->needed = arena_array(arena, const char *, count);
	for (size_t i = 0; i < count && gelf_getdyn(data, (int)i, &entry); i++) {
		if (entry.d_tag == DT_NEEDED)
			file->needed[file->needed_count++] = copy_string(elf, section, entry.d_un.d_val,
			                                                 arena);
		else if (entry.d_tag == DT_RPATH)
			file->rpath = copy_string(elf, section, entry.d_un.d_val, arena);
		else if (entry.d_tag == DT_RUNPATH)
			file->runpath = copy_string(elf, section, entry.d_un.d_val, arena);
	}
}

/* Functions that tell what an MPI library is; preload.c asks the loaded one in the same way. */
struct mpi_functions {
	bool has_rank, has_abi, has_c2f;
};

static void look_at_function(const char *name, struct mpi_functions *functions)
{
	functions->has_rank |= strcmp(name, "PMPI_Comm_rank") == 0;
	functions->has_abi |= strcmp(name, "PMPI_Abi_get_version") == 0;
	functions->has_c2f |= strcmp(name, "PMPI_Comm_c2f") == 0;
}

static void read_symbols(Elf *elf, Elf_Data *data, const GElf_Shdr *section, struct elf_file *file)
{
	size_t count = section->sh_entsize ? section->sh_size / section->sh_entsize : 0;
	struct mpi_functions functions = {0};
	GElf_Sym symbol;

	for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
		const char *name = elf_strptr(elf, section->sh_link, symbol.st_name);
		if (!name)
			continue;
		if (symbol.st_shndx != SHN_UNDEF) {
			file->defines_mpi |= strcmp(name, "MPI_Init") == 0 || strcmp(name, "PMPI_Init") == 0;
			look_at_function(name, &functions);
			file->defines_recorder |= strcmp(name, "tarry_record_chain") == 0;
			if (strcmp(name, "ompi_mpi_comm_world") == 0)
				file->own_mpi = "openmpi";
			else if (strcmp(name, "MPIR_Process") == 0)
				file->own_mpi = "mpich";
			file->defines_upc |= strcmp(name, "bupc_init_reentrant") == 0 ||
			                     strcmp(name, "__upc_pupc_init") == 0;
			file->defines_gasp |= strcmp(name, "tarry_upc_recording") == 0;
		} else
			file->loads_libraries |= strcmp(name, "dlopen") == 0;
	}
	if (functions.has_rank)
		file->interface = functions.has_abi && !functions.has_c2f ? "abi"
		                  : file->own_mpi                         ? file->own_mpi
		                                                          : "mpich";
}

bool elf_file_read(const char *path, struct arena *arena, struct elf_file *file)
{
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);
	Elf *elf;
	bool readable;

	*file = (struct elf_file){0};
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	readable = elf && elf_kind(elf) == ELF_K_ELF;
	if (readable) {
		size_t count = 0;
		GElf_Phdr segment;
		Elf_Scn *scn = NULL;
		GElf_Shdr section;
		if (elf_getphdrnum(elf, &count) != 0)
			count = 0;
		for (size_t i = 0; i < count; i++)
			if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_INTERP)
				file->has_interpreter = true;
		while ((scn = elf_nextscn(elf, scn))) {
			Elf_Data *data;
			if (!gelf_getshdr(scn, &section))
				continue;
			data = elf_getdata(scn, NULL);
			if (data && section.sh_type == SHT_DYNAMIC && !file->needed)
				read_dynamic(elf, data, &section, arena, file);
			else if (data && (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB))
				read_symbols(elf, data, &section, file);
		}
	}
	elf_end(elf);
	close(fd);
	return readable;
}
