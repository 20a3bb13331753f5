#include "analysis/symbols/symbol_table.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* The maximum of symbols at one address that are compared here; libdw compares more. */
enum { AROUND_MAX = 32 };

struct table_symbol {
	GElf_Addr begin, size;
	GElf_Addr reach; /* the highest end of this and all previous symbols */
	int number;      /* in the tables of the file */
	uint8_t binding; /* preference */
	bool is_label;   /* a symbol without size begins at `reach` */
};

struct symbol_table {
	Dwfl_Module *module;
	int first_global;
	ARRAY(struct table_symbol) symbols; /* by address and number */
};

static uint8_t preference(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return 3;
	case STB_WEAK:
		return 2;
	case STB_LOCAL:
		return 1;
	default:
		return 0;
	}
}

static bool is_place(const GElf_Sym *symbol)
{
	const int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && type != STT_SECTION && type != STT_FILE && type != STT_TLS;
}

static int by_address(const void *a, const void *b)
{
	const struct table_symbol *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return left->number - right->number;
}

/* After sorting. */
static void find_reach(struct symbol_table *table)
{
	GElf_Addr reach = 0;
	bool is_label = false;

	for (size_t i = 0; i < table->symbols.count; i++) {
		struct table_symbol *symbol = &table->symbols.items[i];
		const GElf_Addr end = symbol->begin + symbol->size;
		is_label &= end <= reach;
		reach = end > reach ? end : reach;
		is_label |= !symbol->size && symbol->begin == reach;
		symbol->reach = reach;
		symbol->is_label = is_label;
	}
}

struct symbol_table *symbol_table_new(Dwfl_Module *module)
{
	struct symbol_table *table = memory_new(1, sizeof *table);
	const int count = dwfl_module_getsymtab(module);

	table->module = module;
	table->first_global = dwfl_module_getsymtab_first_global(module);
	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr begin;
		const char *name = dwfl_module_getsym_info(module, i, &symbol, &begin, NULL, NULL, NULL);
		if (name && *name && is_place(&symbol))
			array_add(&table->symbols, (struct table_symbol){.begin = begin,
			                                                 .size = symbol.st_size,
			                                                 .number = i,
			                                                 .binding = preference(&symbol)});
	}
	if (table->symbols.count)
		qsort(table->symbols.items, table->symbols.count, sizeof *table->symbols.items, by_address);
	find_reach(table);
	return table;
}

void symbol_table_free(struct symbol_table *table)
{
	if (!table)
		return;
	array_release(&table->symbols);
	free(table);
}

/* Symbols around an address, in the order of the tables. */
struct symbols_around {
	const struct table_symbol *items[AROUND_MAX];
	uint32_t count;
	bool any_global;
};

/* False: there are too many. `last` is the number of the last symbol that begins there or before. */
static bool find_around(const struct symbol_table *table, GElf_Addr address, size_t last,
                        struct symbols_around *around)
{
	for (size_t i = last + 1; i-- > 0 && table->symbols.items[i].reach > address;) {
		const struct table_symbol *symbol = &table->symbols.items[i];
		uint32_t at = around->count;
		if (address - symbol->begin >= symbol->size)
			continue;
		if (at == AROUND_MAX)
			return false;
		for (; at && around->items[at - 1]->number > symbol->number; at--)
			around->items[at] = around->items[at - 1];
		around->items[at] = symbol;
		around->count++;
		around->any_global |= symbol->number >= table->first_global;
	}
	return true;
}

/* libdw decides to which section a symbol without size belongs, and whether it is preferred to a local one. */
static bool is_at_label(const struct symbol_table *table, GElf_Addr address, size_t last,
                        const struct symbols_around *around)
{
	const struct table_symbol *items = table->symbols.items;

	if (!around->count)
		return items[last].is_label;
	for (size_t i = last + 1; !around->any_global && i-- > 0 && items[i].begin == address;)
		if (!items[i].size)
			return true;
	return false;
}

/* The rule of libdw, which compares symbols in the order of the tables. */
static bool is_better(const struct table_symbol *symbol, const struct table_symbol *than)
{
	if (than->begin < symbol->begin || than->binding < symbol->binding)
		return true;
	return than->begin == symbol->begin && than->size > symbol->size && than->binding <= symbol->binding;
}

const char *symbol_table_find(const struct symbol_table *table, GElf_Addr address, GElf_Off *offset)
{
	const struct table_symbol *items = table->symbols.items, *best = NULL;
	size_t last = sorted_find(0, table->symbols.count, i, items[i].begin <= address);
	struct symbols_around around = {0};
	GElf_Sym symbol;

	if (!last--)
		return NULL;
	if (!find_around(table, address, last, &around) || is_at_label(table, address, last, &around))
		return dwfl_module_addrinfo(table->module, address, offset, &symbol, NULL, NULL, NULL);
	for (uint32_t i = 0; i < around.count; i++) {
		const struct table_symbol *other = around.items[i];
		if (around.any_global && other->number < table->first_global)
			continue;
		if (!best || is_better(other, best))
			best = other;
	}
	if (!best)
		return NULL;
	*offset = address - best->begin;
	return dwfl_module_getsym_info(table->module, best->number, &symbol, &(GElf_Addr){0}, NULL, NULL,
	                               NULL);
}
