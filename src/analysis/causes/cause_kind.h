/* Where a process was that others waited for. */
#ifndef TARRY_ANALYSIS_CAUSES_CAUSE_KIND_H
#define TARRY_ANALYSIS_CAUSES_CAUSE_KIND_H

enum cause_kind {
	CAUSE_COMPUTING, /* outside of MPI and UPC, between two calls */
	CAUSE_CALL,      /* in a call, without waiting for anybody */
	CAUSE_NOISE,     /* without a processor, or in the recorder */
	CAUSE_TRANSFER,  /* nobody was late: the transfer, or the library */
	CAUSE_OTHER,     /* smaller causes together */
	CAUSE_UNKNOWN,   /* not recorded */
	CAUSE_KINDS
};

#endif
