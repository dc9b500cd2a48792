/* SPDX-License-Identifier: BSD-3-Clause */
/* What slurmctld knows of a node. In srun only. */
#ifndef STENCILMAP_NODEINFO_H
#define STENCILMAP_NODEINFO_H

#include <stdint.h>

#include "base/error.h"

struct nodeinfo {
    uint32_t cores;   /* of all sockets */
    uint32_t threads; /* of each core; 1 or more */
};

/* Asks slurmctld what its configuration says of a node. */
int nodeinfo_read(struct nodeinfo *info, const char *node, struct smap_error *err);

#endif
