/* The index of symbols gives the same names as libdw, which visits all symbols for each address. Functions that compilers create have the names in the source. */
#include "analysis/symbols/symbol_table.h"
#include "analysis/symbols/symbols.h"
#include "base/arena.h"

#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ASKED = 200 };

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .section_address = dwfl_offline_section_address};

/* Symbols that overlap, as those of the C library do. */
__asm__(".text\n"
        ".globl planted_outer, planted_alias\n"
        ".weak planted_weak\n"
        ".type planted_outer, @function\n"
        ".type planted_alias, @function\n"
        ".type planted_weak, @function\n"
        ".type planted_inner, @function\n"
        "planted_outer:\n"
        "planted_weak:\n"
        "planted_alias:\n"
        ".zero 8\n"
        "planted_inner:\n"
        ".zero 8\n"
        ".size planted_inner, 8\n"
        ".size planted_weak, 4\n"
        ".size planted_alias, 4\n"
        ".zero 8\n"
        ".size planted_outer, 24\n"
        "planted_label:\n"
        ".zero 8\n"
        "planted_second_label:\n"
        ".zero 8\n");

static void compare_at(struct symbol_table *table, Dwfl_Module *module, GElf_Addr address)
{
	GElf_Off offset = 0, expected_offset = 0;
	GElf_Sym symbol;
	const char *name = symbol_table_find(table, address, &offset);
	const char *expected = dwfl_module_addrinfo(module, address, &expected_offset, &symbol, NULL, NULL,
	                                            NULL);

	if (!expected || !name) {
		assert_ptr_equal(name, expected);
		return;
	}
	assert_string_equal(name, expected);
	assert_int_equal(offset, expected_offset);
}

static void compare_around(struct symbol_table *table, Dwfl_Module *module, int number)
{
	GElf_Sym symbol = {0};
	GElf_Addr begin = 0;

	(void)dwfl_module_getsym_info(module, number, &symbol, &begin, NULL, NULL, NULL);
	compare_at(table, module, begin - 1);
	compare_at(table, module, begin);
	compare_at(table, module, begin + symbol.st_size / 2);
	compare_at(table, module, begin + symbol.st_size - 1);
	compare_at(table, module, begin + symbol.st_size);
}

static bool is_planted(Dwfl_Module *module, int number)
{
	GElf_Sym symbol;
	GElf_Addr begin;
	const char *name = dwfl_module_getsym_info(module, number, &symbol, &begin, NULL, NULL, NULL);

	return name && strncmp(name, "planted_", 8) == 0;
}

/* Returns the number of compared symbols of this test. */
static int compare_file(const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct symbol_table *table;
	Dwfl_Module *module;
	int count, planted = 0;

	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, path, path, -1, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	assert_non_null(module);
	table = symbol_table_new(module);
	count = dwfl_module_getsymtab(module);
	for (int i = 1; i < count; i++) {
		bool is_own = is_planted(module, i);
		planted += is_own;
		if (is_own || i % (1 + count / ASKED) == 0)
			compare_around(table, module, i);
	}
	compare_at(table, module, 0);
	compare_at(table, module, UINT64_MAX);
	symbol_table_free(table);
	dwfl_end(dwfl);
	return planted;
}

static void overlapping_symbols_are_found(void **state)
{
	(void)state;
	assert_int_equal(compare_file("/proc/self/exe"), 6);
}

static int compare_library(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size, (void)context;
	if (info->dlpi_name[0] == '/')
		(void)compare_file(info->dlpi_name);
	return 0;
}

static void symbols_of_libraries_are_found(void **state)
{
	(void)state;
	dl_iterate_phdr(compare_library, NULL);
}

static void functions_of_openmp_regions_have_names_of_the_source(void **state)
{
	static const char *const names[][2] = {{"main", "main"},
	                                       {"main._omp_fn.0", "main"},
	                                       {"step.0._omp_fn.1", "step"},
	                                       {"_ZN6solver4stepEi._omp_fn.2", "_ZN6solver4stepEi"},
	                                       {"main.omp_outlined", "main"},
	                                       {".omp_outlined..1", "OpenMP region"},
	                                       {"part.0", "part.0"}};
	struct arena arena = {0};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *found = function_in_source(names[i][0], &arena);
		/* Only where the C++ library is installed are its names read. */
		if (strcmp(found, "solver::step") != 0)
			assert_string_equal(found, names[i][1]);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_openmp_regions_have_names_of_the_source),
		cmocka_unit_test(overlapping_symbols_are_found),
		cmocka_unit_test(symbols_of_libraries_are_found)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
