/* SPDX-License-Identifier: BSD-3-Clause */
/* The ORDER texts, read word by word: what they say before anybody knows the levels. */
#ifndef SMAP_ORDER_TEXT_PRIVATE_H
#define SMAP_ORDER_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "order/hierarchy.h"

/* An ORDER text, understood as far as it goes without a hierarchy. */
struct smap_order_text {
    enum { SMAP_FORM_NUMBERS, SMAP_FORM_NAMES, SMAP_FORM_WORDS, SMAP_FORM_PLANE } form;
    size_t count;
    uint64_t number[SMAP_LEVELS_MAX];
    char name[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    bool nodes_cyclic;
    bool sockets_cyclic;
    uint64_t plane;
    bool membind;
};

/* Refused: what is none of the forms, names that come twice. */
int smap_order_scan(struct smap_order_text *s, const char *text, struct smap_error *err);

/* Refuses level numbers unless each of 0 ... count - 1 is there exactly once. */
int smap_order_check_permutation(const char *text, const struct smap_order_text *s,
                                 struct smap_error *err);

#endif
