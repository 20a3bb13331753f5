/* How pages look, and the few lines of script that they can do without. */
#ifndef TARRY_BENCH_RESULTS_PAGE_STYLE_H
#define TARRY_BENCH_RESULTS_PAGE_STYLE_H

extern const char PAGE_STYLE[];
extern const char PAGE_SCRIPT[];

#endif
