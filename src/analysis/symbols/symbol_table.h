/* The symbol tables of a file, sorted by address. libdw visits all symbols for each address, which took half of the report of a program
 * that calls MPI from a large library. Gives the same names as dwfl_module_addrinfo().
 *
 *	struct symbol_table *table = symbol_table_new(module);
 *	const char *name = symbol_table_find(table, address, &offset);    NULL: none
 *	symbol_table_free(table); */
#ifndef TARRY_ANALYSIS_SYMBOLS_SYMBOL_TABLE_H
#define TARRY_ANALYSIS_SYMBOLS_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>

struct symbol_table;

struct symbol_table *symbol_table_new(Dwfl_Module *module);
void symbol_table_free(struct symbol_table *table);

/* `offset` is that of the address in its symbol. */
const char *symbol_table_find(const struct symbol_table *table, GElf_Addr address, GElf_Off *offset);

#endif
