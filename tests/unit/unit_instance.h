/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances by their texts. */
#ifndef STENCILMAP_UNIT_INSTANCE_H
#define STENCILMAP_UNIT_INSTANCE_H

#include "unit.h"

struct instance {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_nodesizes *sizes;
};

/* sizes NULL: no node matters. */
static inline void instance_init(struct instance *in, const char *dims, const char *stencil,
                                 const char *sizes, const bool periodic[])
{
    struct smap_error err = {""};
    uint32_t d[SMAP_DIMS_MAX];
    size_t ndims;
    bool column;
    in->sizes = NULL;
    if (smap_dims_parse(d, &ndims, &column, dims, &err) ||
        smap_grid_init(&in->grid, ndims, d, periodic, &err) ||
        smap_stencil_parse(&in->stencil, stencil, ndims, &err) ||
        (sizes && smap_nodesizes_parse(&in->sizes, sizes, &err)))
        fail_msg("%s %s %s: %s", dims, stencil, sizes ? sizes : "", err.text);
}

static inline void instance_release(struct instance *in)
{
    smap_stencil_destroy(in->stencil);
    smap_nodesizes_destroy(in->sizes);
}

#endif
