#include "check/signature/signature.h"

#include <stdlib.h>

/* A sequence e1 … en has the hash e1·B^(n-1) + … + en modulo 2^61-1, for two views of its elements: the types
 * themselves, and their representation (class and size). */
enum { EXACT = 0, REPRESENTATION = 1, VIEWS = 2 };

enum { DEPTH_MAX = 512 };

#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE UINT64_C(0x0d3f2a94c7b1e685)

struct signature_range {
	const struct signature *type;
	uint64_t times;
	uint64_t before; /* elements of the preceding parts */
	uint64_t hash_before[VIEWS];
};

struct signature {
	uint64_t elements, bytes;
	uint64_t hash[VIEWS];
	uint64_t power; /* B^elements */
	uint32_t depth;
	enum basic_type basic; /* BASIC_NONE: it has parts */
	enum basic_type single;
	uint32_t single_bytes;
	bool is_mixed; /* it has several predefined types */
	bool has_packed;
	size_t part_count;
	struct signature_range parts[];
};

static const struct basic_info {
	const char *name;
	enum basic_class class;
} basic_infos[BASIC_TYPES] = {
	[BASIC_NONE] = {"none", HOLDS_BYTES},
#define BASIC_TYPE(name, class) [BASIC_##name] = {"MPI_" #name, class},
#include "check/signature/basic_types.def"
};

static const struct basic_pair {
	enum basic_type first, second;
} basic_pairs[BASIC_TYPES] = {
#define BASIC_PAIR_OF(name, first, second) [BASIC_##name] = {BASIC_##first, BASIC_##second},
#include "check/signature/basic_types.def"
};

/* Arithmetic */

static uint64_t reduce(uint64_t value)
{
	value = (value & PRIME) + (value >> 61);
	return value >= PRIME ? value - PRIME : value;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return reduce((uint64_t)(product & PRIME) + (uint64_t)(product >> 61));
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return reduce(a + b);
}

static uint64_t power_of(uint64_t base, uint64_t exponent)
{
	uint64_t result = 1;

	for (; exponent; exponent >>= 1, base = multiply(base, base))
		if (exponent & 1)
			result = multiply(result, base);
	return result;
}

/* 1 + q + … + q^(n-1). */
static uint64_t geometric(uint64_t q, uint64_t n)
{
	uint64_t sum = 0, block = 1;

	/* `block` is the sum of 2^i powers, and q their q^(2^i). */
	for (; n; n >>= 1) {
		if (n & 1)
			sum = add(multiply(sum, q), block);
		block = multiply(block, add(q, 1));
		q = multiply(q, q);
	}
	return sum;
}

static uint64_t saturating_product(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Making them */

static struct signature *new_element(enum basic_type type, uint32_t bytes)
{
	struct signature *signature = calloc(1, sizeof *signature);
	/* Any single byte is moved as a byte. */
	const enum basic_class class = bytes == 1 ? HOLDS_BYTES : basic_infos[type].class;

	if (!signature)
		return NULL;
	*signature = (struct signature){
		.elements = 1,
		.bytes = bytes,
		.hash = {[EXACT] = (uint64_t)type + 1,
	                 [REPRESENTATION] = reduce(((uint64_t) class + 1) << 33 | bytes)},
		.power = reduce(BASE),
		.basic = type,
		.single = type,
		.single_bytes = bytes,
		.has_packed = basic_infos[type].class == HOLDS_PACKED};
	return signature;
}

/* Two elements, which are ranges without their own type: their hashes contain both. */
static struct signature *new_pair(enum basic_type type, uint32_t bytes)
{
	const struct basic_pair *pair = &basic_pairs[type];
	uint32_t second = pair->first == pair->second ? bytes / 2 : (uint32_t)sizeof(int);
	struct signature *first_part = new_element(pair->first, bytes > second ? bytes - second : 0);
	struct signature *second_part = new_element(pair->second, second);
	struct signature *signature = NULL;

	if (first_part && second_part)
		signature = signature_new(2, (struct signature_part[]){{first_part, 1}, {second_part, 1}});
	if (signature) {
		signature->basic = signature->single = type;
		signature->single_bytes = bytes;
		signature->is_mixed = false;
		return signature;
	}
	free(first_part);
	free(second_part);
	return NULL;
}

struct signature *signature_basic(enum basic_type type, uint32_t bytes)
{
	if (type <= BASIC_NONE || type >= BASIC_TYPES)
		return NULL;
	return basic_infos[type].class == HOLDS_PAIR ? new_pair(type, bytes) : new_element(type, bytes);
}

/* False: it has more elements than can be counted. */
static bool append(struct signature *signature, const struct signature_part *part)
{
	const struct signature *type = part->type;
	struct signature_range *range = &signature->parts[signature->part_count++];
	uint64_t elements, bytes, power;

	*range = (struct signature_range){.type = type, .times = part->times, .before = signature->elements};
	if (__builtin_mul_overflow(type->elements, part->times, &elements) ||
	    __builtin_mul_overflow(type->bytes, part->times, &bytes) ||
	    __builtin_add_overflow(signature->elements, elements, &signature->elements) ||
	    __builtin_add_overflow(signature->bytes, bytes, &signature->bytes))
		return false;
	power = power_of(type->power, part->times);
	for (int view = 0; view < VIEWS; view++) {
		range->hash_before[view] = signature->hash[view];
		signature->hash[view] = add(multiply(signature->hash[view], power),
		                            multiply(type->hash[view], geometric(type->power, part->times)));
	}
	signature->power = multiply(signature->power, power);
	signature->has_packed |= type->has_packed && part->times;
	if (elements) {
		signature->is_mixed |= type->is_mixed || (range->before && type->single != signature->single);
		signature->single = type->single;
		signature->single_bytes = type->single_bytes;
	}
	signature->depth = type->depth >= signature->depth ? type->depth + 1 : signature->depth;
	return signature->depth <= DEPTH_MAX;
}

struct signature *signature_new(size_t count, const struct signature_part *parts)
{
	struct signature *signature;

	if (count > (SIZE_MAX - sizeof *signature) / sizeof *signature->parts)
		return NULL;
	signature = calloc(1, sizeof *signature + count * sizeof *signature->parts);
	if (!signature)
		return NULL;
	signature->power = 1;
	for (size_t i = 0; i < count; i++)
		if (!append(signature, &parts[i])) {
			free(signature);
			return NULL;
		}
	return signature;
}

void signature_free(struct signature *signature)
{
	if (signature && signature->basic && signature->part_count)
		for (size_t i = 0; i < signature->part_count; i++)
			free((struct signature *)signature->parts[i].type);
	free(signature);
}

uint64_t signature_elements(const struct signature *signature)
{
	return signature->elements;
}

uint64_t signature_bytes(const struct signature *signature)
{
	return signature->bytes;
}

enum basic_type signature_single_type(const struct signature *signature)
{
	return signature->is_mixed ? BASIC_NONE : signature->single;
}

uint32_t signature_single_bytes(const struct signature *signature)
{
	return signature->single_bytes;
}

const char *basic_type_name(enum basic_type type)
{
	return type < BASIC_TYPES ? basic_infos[type].name : basic_infos[BASIC_NONE].name;
}

/* Looking into them */

/* The last non-empty part that begins at or before this element. */
static const struct signature_range *find_range(const struct signature *signature, uint64_t element)
{
	size_t low = 0, high = signature->part_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (signature->parts[middle].before <= element)
			low = middle;
		else
			high = middle;
	}
	return &signature->parts[low];
}

static uint64_t prefix_hash(const struct signature *signature, uint64_t elements, int view)
{
	uint64_t hash = 0;

	while (elements) {
		uint64_t copies = elements / signature->elements;
		const struct signature_range *range;
		hash = add(multiply(hash, power_of(signature->power, copies)),
		           multiply(signature->hash[view], geometric(signature->power, copies)));
		elements %= signature->elements;
		if (!elements)
			break;
		/* Within one copy: the preceding parts, then into the part. */
		range = find_range(signature, elements - 1);
		hash = add(multiply(hash, power_of(reduce(BASE), range->before)), range->hash_before[view]);
		elements -= range->before;
		signature = range->type;
	}
	return hash;
}

uint64_t signature_hash(const struct signature *signature, uint64_t count)
{
	return prefix_hash(signature, saturating_product(signature->elements, count), EXACT);
}

static const struct signature *find_element(const struct signature *signature, uint64_t index)
{
	while (signature->part_count) {
		const struct signature_range *range;
		index %= signature->elements;
		range = find_range(signature, index);
		index -= range->before;
		signature = range->type;
	}
	return signature;
}

enum basic_type signature_element(const struct signature *signature, uint64_t index)
{
	return signature->elements ? find_element(signature, index)->basic : BASIC_NONE;
}

static uint64_t first_difference(const struct signature *a, const struct signature *b, uint64_t length,
                                 int view)
{
	uint64_t same = 0, differs = length;

	if (prefix_hash(a, length, view) == prefix_hash(b, length, view))
		return SIGNATURES_FIT;
	while (differs - same > 1) {
		uint64_t middle = same + (differs - same) / 2;
		if (prefix_hash(a, middle, view) == prefix_hash(b, middle, view))
			same = middle;
		else
			differs = middle;
	}
	return same;
}

struct signature_comparison signatures_compare(const struct signature *from, uint64_t sent,
                                               const struct signature *to, uint64_t room)
{
	uint64_t there = saturating_product(from->elements, sent);
	uint64_t space = saturating_product(to->elements, room);
	uint64_t common = there < space ? there : space;
	struct signature_comparison result = {.at = SIGNATURES_FIT};

	if (from->has_packed || to->has_packed) {
		if (saturating_product(from->bytes, sent) > saturating_product(to->bytes, room))
			result.verdict = SIGNATURE_TOO_LONG;
		return result;
	}
	if (from != to)
		result.at = first_difference(from, to, common, EXACT);
	if (result.at != SIGNATURES_FIT) {
		uint64_t real = first_difference(from, to, common, REPRESENTATION);
		result.verdict = real == SIGNATURES_FIT ? SIGNATURE_SIMILAR : SIGNATURE_DIFFERS;
		result.at = real == SIGNATURES_FIT ? result.at : real;
		result.sent = signature_element(from, result.at);
		result.received = signature_element(to, result.at);
	}
	if (there > space && result.verdict != SIGNATURE_DIFFERS)
		result.verdict = SIGNATURE_TOO_LONG;
	return result;
}
