#include "analysis/symbols/machine_calls.h"

#include "base/bytes.h"

#include <elf.h>
#include <gelf.h>
#include <string.h>

bool machine_code_find(Dwfl_Module *module, uint64_t address, struct machine_code *code)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	size_t count = 0, size = 0;
	const char *file = elf ? elf_rawfile(elf, &size) : NULL;
	GElf_Ehdr head;

	if (!file || !gelf_getehdr(elf, &head) || elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    address - bias - segment.p_vaddr >= segment.p_filesz || segment.p_offset > size ||
		    segment.p_filesz > size - segment.p_offset)
			continue;
		*code = (struct machine_code){(const uint8_t *)file + segment.p_offset,
		                              segment.p_vaddr + bias, segment.p_filesz, head.e_machine};
		return true;
	}
	return false;
}

static uint32_t word_at(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* `bl`, with a 26-bit distance in words. */
static bool aarch64_target(const uint8_t *end, uint64_t return_address, uint64_t *target)
{
	uint32_t word = word_at(end - 4);
	int64_t distance = (int64_t)((uint64_t)word << 38) >> 36;

	*target = return_address - 4 + (uint64_t)distance;
	return word >> 26 == 0x25;
}

/* `call`: e8 and a 32-bit distance; or ff 15 and the distance to the word with the target. */
static bool x86_64_target(const uint8_t *end, uint64_t return_address, uint64_t *target)
{
	*target = return_address + (uint64_t)(int64_t)(int32_t)word_at(end - 4);
	return end[-5] == 0xe8 || (end[-6] == 0xff && end[-5] == 0x15);
}

bool machine_call_target(const struct machine_code *code, uint64_t return_address, uint64_t *target)
{
	enum { LONGEST = 6 };
	uint64_t end = return_address - code->address;

	if (end < LONGEST || end > code->size)
		return false;
	if (code->machine == EM_AARCH64)
		return aarch64_target(code->bytes + end, return_address, target);
	return code->machine == EM_X86_64 && x86_64_target(code->bytes + end, return_address, target);
}

uint64_t machine_step(const struct machine_code *code)
{
	return code->machine == EM_AARCH64 ? 4 : 1;
}
