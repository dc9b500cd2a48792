/* SPDX-License-Identifier: BSD-3-Clause */
/* What slurmctld knows of a node. In srun only. */
#ifndef STENCILMAP_NODEINFO_H
#define STENCILMAP_NODEINFO_H

#include <stdint.h>

#include "base/error.h"

/* Asks slurmctld for the hardware threads of each core. */
int nodeinfo_threads(uint32_t *threads, const char *node, struct smap_error *err);

#endif
