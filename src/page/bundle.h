/* The style sheet and all modules of pages, bundled by bundle.py at build time. */
#ifndef TARRY_PAGE_BUNDLE_H
#define TARRY_PAGE_BUNDLE_H

extern const char bundled_style[];
extern const char bundled_script[];

#endif
