/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading numbers out of option values, and building texts. Strict where the C library is
 * lenient: no sign, no leading space, no silent overflow. */
#ifndef SMAP_TEXT_H
#define SMAP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads decimal digits at *cursor and moves it behind them. False, with *cursor untouched,
 * where there is no digit or the number is above max. */
bool smap_scan_uint(const char **cursor, uint64_t max, uint64_t *value);

/* The same with an optional sign, for offsets; |value| <= max. */
bool smap_scan_int(const char **cursor, int64_t max, int64_t *value);

/* True, and the cursor moved, if the next character is c. */
bool smap_scan_char(const char **cursor, char c);

/* Puts the value of an option in lower case: upper and lower case mean the same in all of them, but
 * for what begins with '@', the name of a file. */
void smap_lower(char *value);

/* How many numbers a list such as "0-3,8" names, up to its end or what is no list; NULL: 0. */
size_t smap_list_length(const char *list);

/* A growing string. Start from {0}; every append after a failed one is ignored, so that one check
 * at the end is enough. The owner frees .text. */
struct smap_text {
    char *text;
    size_t length;
    size_t capacity;
    bool failed;
};

__attribute__((format(printf, 2, 3))) void smap_text_add(struct smap_text *text, const char *format,
                                                         ...);

/* The finished string, owned by the caller; NULL when memory ran out (nothing is left to free).
 * An untouched text gives "". */
char *smap_text_take(struct smap_text *text);

#endif
