/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of grids behind dims_search.h. */
#ifndef SMAP_DIMS_SEARCH_PRIVATE_H
#define SMAP_DIMS_SEARCH_PRIVATE_H

#include "best/dims_search.h"
#include "grid/grid.h"

struct smap_dims_choice {
    uint32_t dims[SMAP_DIMS_MAX];
    double surface;
};

/* Fills choices with the grids whose sum of dims_i price_i is at most so many times the least, most
 * compact first, at most max of them; *count gets how many. price: not negative. */
int smap_dims_choices(struct smap_dims_choice choices[], size_t *count,
                      const struct smap_dims_request *request, const double price[], size_t max,
                      struct smap_error *err);

#endif
