/* What a call did, as records between its enter and its leave. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_EXPORT_RECORDS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_EXPORT_RECORDS_H

#include "output/exchange/otf2_export_calls.h"
#include "output/exchange/otf2_exporter.h"

struct call_info;

struct record_writer {
	struct exporter *ex;
	size_t process; /* its number */
	OTF2_EvtWriter *events;
	uint64_t time;
	uint64_t io_id; /* of the thread's last operation on a file */
};

/* `info` is NULL for what is no MPI function. */
void records_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void records_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info);

/* otf2_export_rma_io.c: the same for one-sided communication. */
void rma_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void rma_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void rma_ended(struct record_writer *w, const struct request_operation *operation);

/* Fields of a call, from the first to before the end. */
struct field_range {
	const struct call *call;
	uint32_t first, end;
};

/* The same for files. */
void io_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void io_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void io_ended(struct record_writer *w, const struct request_operation *operation, struct field_range brought);

uint64_t field_or_zero(const struct call *call, enum field_key key);

#endif
