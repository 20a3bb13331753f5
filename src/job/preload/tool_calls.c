#include "job/preload/tool_calls.h"

#include "base/libc_dlsym.h"
#include "base/loaded_mpi.h"
#include "job/preload/other_tools.h"
#include "job/preload/preload.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { RELOCATION_CALL = R_AARCH64_JUMP_SLOT, RELOCATION_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { RELOCATION_CALL = R_X86_64_JUMP_SLOT, RELOCATION_ADDRESS = R_X86_64_GLOB_DAT };
#endif

enum { TOOLS = 4, GATE_BYTES = 16 };

/* An MPI function, and the functions that may serve it. */
struct tool_call {
	void *tool; /* NULL: the tool does not define it */
	void *server, *mpi;
	bool comes_first;
	bool is_referred; /* a tool calls its PMPI function */
};

struct tool_file {
	const struct link_map *file;
	uintptr_t start, end;
	uintptr_t fixed_start, fixed_end; /* the range that is read-only after relocation */
};

static struct tool_call *calls; /* by slot */
static struct tool_file tools[TOOLS];
static uint32_t tool_count;
static bool any_comes_first, have_begun;

/* Per thread: the function that the program called and a tool now serves, and its call site. */
static _Thread_local struct {
	uint32_t slot; /* plus one; 0: none */
	const void *site;
} under_way __attribute__((tls_model("initial-exec")));

/* Files */

static uintptr_t page_of(uintptr_t address)
{
	return address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
}

static int take_extent(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct tool_file *tool = argument;

	(void)size;
	if (!info->dlpi_name || strcmp(info->dlpi_name, tool->file->l_name) != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;

		if (header->p_type == PT_LOAD) {
			tool->start = tool->start && tool->start < start ? tool->start : start;
			tool->end = tool->end > end ? tool->end : end;
		} else if (header->p_type == PT_GNU_RELRO) {
			tool->fixed_start = page_of(start);
			tool->fixed_end = page_of(end); /* the loader protects whole pages */
		}
	}
	return 1;
}

static void add_file(const void *function)
{
	const struct link_map *file;
	Dl_info info;

	if (!dladdr(function, &info) || !info.dli_fname || !(file = loaded_file_find(info.dli_fname)))
		return;
	for (uint32_t i = 0; i < tool_count; i++)
		if (tools[i].file == file)
			return;
	if (tool_count == TOOLS)
		return;
	tools[tool_count] = (struct tool_file){.file = file};
	dl_iterate_phdr(take_extent, &tools[tool_count]);
	tool_count += tools[tool_count].end != 0;
}

static bool is_in_tool(const void *address)
{
	for (uint32_t i = 0; i < tool_count; i++)
		if ((uintptr_t)address >= tools[i].start && (uintptr_t)address < tools[i].end)
			return true;
	return false;
}

/* References */

/* The slot of MPI_Send for PMPI_Send, of mpi_send_ for pmpi_send_; preload_count: none. */
static size_t slot_of_reference(const char *name)
{
	size_t slot = 0;

	if (strncasecmp(name, "PMPI", 4) != 0)
		return preload_count;
	while (slot < preload_count && strcmp(preload_entries[slot].name, name + 1) != 0)
		slot++;
	return slot;
}

struct references {
	const ElfW(Rela) * first;
	size_t count;
};

struct reference_tables {
	const ElfW(Sym) * symbols;
	const char *names;
	struct references calls, others;
};

static struct reference_tables references_of(const struct link_map *file)
{
	uint64_t of[DT_JMPREL + 1] = {0}; /* by tag */

	for (const ElfW(Dyn) *entry = file->l_ld; entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag > 0 && entry->d_tag <= DT_JMPREL)
			of[entry->d_tag] = entry->d_un.d_val;
	/* NOLINTBEGIN(performance-no-int-to-ptr): addresses in our own memory */
	return (struct reference_tables){
		.symbols = (const void *)of[DT_SYMTAB],
		.names = (const void *)of[DT_STRTAB],
		.calls = {(const void *)of[DT_JMPREL], of[DT_PLTRELSZ] / sizeof(ElfW(Rela))},
		.others = {(const void *)of[DT_RELA], of[DT_RELASZ] / sizeof(ElfW(Rela))},
	};
	/* NOLINTEND(performance-no-int-to-ptr) */
}

typedef void use_reference(const struct tool_file *tool, size_t slot, void **place);

static void each_of(const struct tool_file *tool, const struct reference_tables *tables,
                    const struct references *list, use_reference *use)
{
	for (size_t i = 0; list->first && i < list->count; i++) {
		const ElfW(Rela) *reference = &list->first[i];
		const uint64_t type = ELF64_R_TYPE(reference->r_info),
			       symbol = ELF64_R_SYM(reference->r_info);
		size_t slot;

		if (type != RELOCATION_CALL && type != RELOCATION_ADDRESS)
			continue;
		/* A tool that defines the PMPI function, too, calls itself here, and finds that of MPI with dlsym(). */
		if (tables->symbols[symbol].st_shndx != SHN_UNDEF)
			continue;
		slot = slot_of_reference(tables->names + tables->symbols[symbol].st_name);
		if (slot <
		    preload_count) /* NOLINTNEXTLINE(performance-no-int-to-ptr): of the tool's memory */
			use(tool, slot, (void **)(tool->file->l_addr + reference->r_offset));
	}
}

static void each_reference(use_reference *use)
{
	for (uint32_t i = 0; i < tool_count; i++) {
		const struct reference_tables tables = references_of(tools[i].file);

		if (!tables.symbols || !tables.names)
			continue;
		each_of(&tools[i], &tables, &tables.calls, use);
		each_of(&tools[i], &tables, &tables.others, use);
	}
}

static void note_reference(const struct tool_file *tool, size_t slot, void **place)
{
	(void)tool, (void)place;
	calls[slot].is_referred = true;
}

/* Single-threaded here: no MPI call has been served yet. */
static void lead_to_gate(const struct tool_file *tool, size_t slot, void **place)
{
	const uintptr_t at = (uintptr_t)place, page = page_of(at);
	const bool is_fixed = at >= tool->fixed_start && at < tool->fixed_end;
	const size_t bytes = at + sizeof *place - page;

	/* NOLINTBEGIN(performance-no-int-to-ptr): addresses in our own memory */
	if (is_fixed && mprotect((void *)page, bytes, PROT_READ | PROT_WRITE) != 0)
		return;
	__atomic_store_n(place, (void *)((uintptr_t)preload_gates + slot * GATE_BYTES), __ATOMIC_RELEASE);
	if (is_fixed)
		mprotect((void *)page, bytes, PROT_READ);
	/* NOLINTEND(performance-no-int-to-ptr) */
}

/* Functions */

/* Whether a tool calls the PMPI form of this function, under any of its names. */
static bool is_passed_on(size_t slot)
{
	for (size_t i = 0; i < preload_count; i++)
		if (calls[i].is_referred && preload_entries[i].function == preload_entries[slot].function)
			return true;
	return false;
}

static void find_once(void)
{
	if (!(calls = calloc(preload_count, sizeof *calls)))
		return;
	for (size_t i = 0; i < preload_count; i++)
		if (preload_entries[i].function != PRELOAD_NO_FUNCTION &&
		    (calls[i].tool = other_tools_next(preload_entries[i].name)))
			add_file(calls[i].tool);
	each_reference(note_reference);
	/* Calls that start or end MPI come to us first: messages that a tool sends there are its own. */
	for (size_t i = 0; i < preload_count; i++) {
		calls[i].comes_first = calls[i].tool && !preload_entries[i].always_recorded &&
		                       is_passed_on(i);
		any_comes_first |= calls[i].comes_first;
	}
}

bool tool_calls_find(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_once);
	return any_comes_first;
}

bool tool_comes_first(uint32_t slot)
{
	return calls && calls[slot].comes_first;
}

void tool_calls_serve(uint32_t slot, void *server, void *mpi)
{
	calls[slot].server = server == calls[slot].tool ? mpi : server;
	calls[slot].mpi = mpi;
}

void tool_calls_begin(void)
{
	__atomic_store_n(&have_begun, true, __ATOMIC_RELEASE); /* gates need it */
	each_reference(lead_to_gate);
}

/* Calls */

static void *next_of_gate(const struct tool_call *call, uint32_t slot)
{
	if (!under_way.slot || preload_entries[under_way.slot - 1].function != preload_entries[slot].function)
		return call->mpi;
	under_way.slot = 0;
	return call->server;
}

void *tool_calls_next(uint32_t slot, const void *site)
{
	const struct tool_call *call;

	if (!__atomic_load_n(&have_begun, __ATOMIC_ACQUIRE))
		return NULL;
	call = &calls[slot & ~(uint32_t)GATE];
	if (slot & GATE)
		return next_of_gate(call, slot & ~(uint32_t)GATE);
	if (is_in_tool(site))
		return call->tool ? call->tool : call->mpi;
	under_way.slot = call->comes_first ? slot + 1 : 0;
	under_way.site = site;
	return call->comes_first ? call->tool : call->server;
}

const void *tool_calls_site(const void *return_address)
{
	return is_in_tool(return_address) ? under_way.site : return_address;
}
