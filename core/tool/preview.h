/* SPDX-License-Identifier: BSD-3-Clause */
/* The step that the options describe, for plan and show. */
#ifndef STENCILMAP_TOOL_PREVIEW_H
#define STENCILMAP_TOOL_PREVIEW_H

#include "machine/slots.h"
#include "plan/plan.h"
#include "tool/options.h"

struct preview {
    struct smap_request request; /* borrows from the options and from what follows */
    struct smap_nodesizes *sizes;
    uint32_t *own;             /* the node of each rank in Slurm's own layout, or that of -m */
    struct smap_levels levels; /* hierarchy.count 0: nothing is known of the nodes */
    struct smap_inside seats;  /* of the fullest node, if they are known one by one */
};

/* preview_clear releases, also after a failure. */
int preview_init(struct preview *preview, const struct args *args, struct smap_error *err);
void preview_clear(struct preview *preview);

#endif
