/* Functions that no rule may trace, as the program or the wrapper itself would come to harm. */
#ifndef TARRY_ANALYSIS_WRAPPERS_REFUSAL_H
#define TARRY_ANALYSIS_WRAPPERS_REFUSAL_H

/* Why, as the end of a sentence; NULL: it may be traced. */
const char *tracing_refusal(const char *function);

#endif
