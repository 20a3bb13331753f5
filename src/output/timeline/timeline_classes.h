/* The run in bins by function and communicator, so that filters act on a summary, too: what part of a bin's time a row was in such calls, and what it
 * waited in them.
 *
 *	classes_init(&classes, rows, bins);
 *	class = class_number(&classes, &(struct timeline_class){name, kind, comm, process});     0: there are too many
 *	classes_add(&classes, class, row, CLASS_INSIDE, (struct class_stretch){from, to, 1});    from 0 to the number of bins
 *	classes_json(&classes, &sites, &out);                                                    ,"classes":{…}
 *	classes_release(&classes);
 *
 * Memory is bounded, and so is what is written: with many rows and classes, bins become wider. */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_CLASSES_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_CLASSES_H

#include "base/array.h"
#include "base/map.h"

/* They fit into the bits that a kept call has for them; 0 is that of all others. */
enum { CLASS_BITS = 5, CLASSES_MOST = 1 << CLASS_BITS };

enum class_time { CLASS_INSIDE, CLASS_WAIT, CLASS_TIMES };

struct timeline_class {
	const char *name; /* of the function; NULL: of others */
	uint32_t kind;    /* enum bin_kind */
	uint64_t comm;    /* identity; 0: none */
	uint32_t process; /* that knows it */
};

struct timeline_classes {
	struct timeline_class all[CLASSES_MOST];
	uint32_t count;
	struct map numbers; /* by name and communicator */
	size_t rows;
	uint32_t bins;
	float **sums; /* by row and class: of each bin, its time inside and its wait; NULL: none */
};

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most);
void classes_release(struct timeline_classes *classes);
/* All sums become 0. */
void classes_clear(struct timeline_classes *classes);
uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted);
/* Places among the bins, and how often: -1 takes away what was added. */
struct class_stretch {
	double from, to, times;
};

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch);

struct site_list;
struct text;
void classes_json(const struct timeline_classes *classes, struct site_list *sites, struct text *out);

#endif
