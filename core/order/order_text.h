/* SPDX-License-Identifier: BSD-3-Clause */
/* What an ORDER text says before anybody knows the levels; the texts are described in
 * order_parse.h. */
#ifndef SMAP_ORDER_TEXT_H
#define SMAP_ORDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What can be known without a hierarchy (in srun, before any node is there): well-formed, known
 * names or fake ones (beside "node" any: H may have racks around the nodes), nothing twice, numbers
 * a permutation of 0..k-1. *numbers becomes k, or 0 for other forms (NULL is allowed). */
int smap_order_check(size_t *numbers, const char *text, struct smap_error *err);

/* True if the text is a list of names with this level (canonical name) in it, by any alias. */
bool smap_order_names(const char *text, const char *name);

#endif
