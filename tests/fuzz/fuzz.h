/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzz targets share. A target is one LLVMFuzzerTestOneInput; libFuzzer calls it with what
 * it invents, replay.c with the files of a corpus. */
#ifndef STENCILMAP_FUZZ_H
#define STENCILMAP_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A check that stays in every build: what is wrong, then abort, which fuzzers notice. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The input as a string of its own, so that reading past its end is noticed; it ends at the first
 * zero. The caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    REQUIRE(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Cuts the next line off *rest: NULL where there is none or an empty one. */
static inline char *fuzz_line(char **rest)
{
    char *line = *rest;
    if (!line)
        return NULL;
    *rest = strchr(line, '\n');
    if (*rest)
        *(*rest)++ = '\0';
    return *line ? line : NULL;
}

/* A refusal is one line with something on it. */
static inline void fuzz_check_error(const char *text, size_t capacity)
{
    REQUIRE(text[0] != '\0');
    REQUIRE(memchr(text, '\0', capacity));
}

#endif
