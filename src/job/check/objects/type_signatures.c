#include "job/check/objects/type_signatures.h"

#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"

/* Signatures that one comparison has created, by type: parts that occur twice are created once. */
struct made_signatures {
	const struct announced_type **types;
	struct signature **signatures;
	size_t count, room;
};

static bool has_room(struct made_signatures *made)
{
	const size_t room = made->room ? 2 * made->room : 16;
	const struct announced_type **types;
	struct signature **signatures;

	if (made->count < made->room)
		return true;
	types = realloc(made->types, room * sizeof(*types));
	if (types)
		made->types = types;
	signatures = types ? realloc(made->signatures, room * sizeof(*signatures)) : NULL;
	if (!signatures)
		return false;
	made->signatures = signatures;
	made->room = room;
	return true;
}

/* Recursion depth: the nesting of the program's types. NULL: out of memory. NOLINTNEXTLINE(misc-no-recursion) */
static struct signature *make(struct made_signatures *made, const struct announced_type *type)
{
	struct signature *signature = NULL;
	struct signature_part *parts;
	bool whole = true;

	for (size_t i = 0; i < made->count; i++)
		if (made->types[i] == type)
			return made->signatures[i];
	if (type->basic) {
		signature = signature_basic(type->basic, type->bytes);
	} else if ((parts = calloc(type->part_count + 1u, sizeof *parts))) {
		for (uint32_t i = 0; i < type->part_count && whole; i++) {
			parts[i] = (struct signature_part){make(made, type->parts[i].type),
			                                   type->parts[i].times};
			whole = parts[i].type;
		}
		signature = whole ? signature_new(type->part_count, parts) : NULL;
		free(parts);
	}
	if (!signature || !has_room(made)) {
		signature_free(signature);
		return NULL;
	}
	made->types[made->count] = type;
	made->signatures[made->count++] = signature;
	return signature;
}

static struct signature_comparison compare(const struct announced_type *type,
                                           const struct announced_type *element)
{
	struct signature_comparison compared = {.verdict = SIGNATURE_FITS};
	struct made_signatures made = {0};
	const struct signature *from = make(&made, type), *to = from ? make(&made, element) : NULL;

	if (to && signature_bytes(to))
		compared = signatures_compare(from, 1, to, signature_bytes(from) / signature_bytes(to));
	/* Types are released before their parts. */
	while (made.count)
		signature_free(made.signatures[--made.count]);
	free(made.types);
	free(made.signatures);
	return compared;
}

struct announced_type *type_content_keep(uint64_t handle)
{
	struct announced_type *content;

	lock_if_shared();
	content = type_announced(handle, true);
	if (content)
		content->refs++;
	unlock_if_shared();
	return content;
}

void type_content_drop(struct announced_type *content)
{
	lock_if_shared();
	if (content)
		content->refs--;
	unlock_if_shared();
}

struct signature_comparison type_content_compare(uint64_t handle, const struct announced_type *content)
{
	struct signature_comparison compared = {.verdict = SIGNATURE_FITS};
	const struct announced_type *type;

	if (!content)
		return compared;
	lock_if_shared();
	type = type_announced(handle, false);
	if (type && type != content)
		compared = compare(type, content);
	unlock_if_shared();
	return compared;
}
