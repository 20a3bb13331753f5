/* Whether a sanitizer watches this test. It takes ten times as long, and sees in a part of many cases what it would see in all of them. */
#ifndef TARRY_UNIT_SANITIZED_H
#define TARRY_UNIT_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
