/* Signatures of datatypes: the sequence of basic types of a type and a count, independent of the layout. Two
 * of them are compared without expansion: a type is a tree of repeated parts, each with the number of its
 * basic elements and a polynomial hash of their sequence. So the hash of any prefix of (type, count) takes
 * time proportional to the depth of the tree and the logarithm of counts. Equal hashes mean equal sequences
 * (64 bits over a prime field; collisions do not happen by accident). The first difference is found by
 * bisection over prefixes.
 *
 *	struct signature *pair = signature_new(2, (struct signature_part[]){{mpi_int, 1}, {mpi_double, 1}});
 *	signature_hash(pair, 2) == signature_hash(quad, 1)
 *	signature_first_difference(sent, 10, received, 12)     index of the element, or SIGNATURES_FIT
 *
 * Used in the user's job: no function ends the process; NULL means that memory is short. */
#ifndef TARRY_CHECK_SIGNATURE_SIGNATURE_H
#define TARRY_CHECK_SIGNATURE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURES_FIT UINT64_MAX

/* Basic types of MPI, in C, C++ and Fortran: numbers in this list, the same for all MPI libraries. */
enum basic_type {
	BASIC_NONE = 0,
#define BASIC_TYPE(name, class) BASIC_##name,
#include "check/signature/basic_types.def"
	BASIC_TYPES
};

/* The content of a basic type: types of one class and size have the same representation, and so have
 * all types of one byte. */
enum basic_class {
	HOLDS_INTEGER,
	HOLDS_UNSIGNED,
	HOLDS_FLOAT,
	HOLDS_COMPLEX,
	HOLDS_LOGICAL,
	HOLDS_CHARACTER,
	HOLDS_BYTES,
	HOLDS_PACKED,
	HOLDS_PAIR
};

struct signature;

struct signature_part {
	const struct signature *type; /* must outlive the types that contain it */
	uint64_t times;
};

struct signature *signature_basic(enum basic_type type, uint32_t bytes);
struct signature *signature_new(size_t count, const struct signature_part *parts);
void signature_free(struct signature *signature);

uint64_t signature_elements(const struct signature *signature); /* of one */
uint64_t signature_bytes(const struct signature *signature);
uint64_t signature_hash(const struct signature *signature, uint64_t count);
enum basic_type signature_element(const struct signature *signature, uint64_t index);
/* The only predefined type in it, also for pairs. BASIC_NONE: several, or none. */
enum basic_type signature_single_type(const struct signature *signature);
uint32_t signature_single_bytes(const struct signature *signature); /* of that type */
const char *basic_type_name(enum basic_type type);

/* The result of receiving `sent` elements of `from` into `room` elements of `to`.
 * MPI_PACKED matches everything. */
enum signature_verdict {
	SIGNATURE_FITS,
	SIGNATURE_SIMILAR,  /* other types of the same representation: it works on this machine */
	SIGNATURE_DIFFERS,  /* at `at` */
	SIGNATURE_TOO_LONG, /* the message is longer than the buffer */
};

struct signature_comparison {
	enum signature_verdict verdict;
	uint64_t at;                    /* the first different element */
	enum basic_type sent, received; /* its types */
};

struct signature_comparison signatures_compare(const struct signature *from, uint64_t sent,
                                               const struct signature *to, uint64_t room);

#endif
