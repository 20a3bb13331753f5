/* Whether a sanitizer is active. Tests then take ten times as long, and a part of many cases shows the
 * same as all of them. */
#ifndef TARRY_UNIT_SANITIZED_H
#define TARRY_UNIT_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
