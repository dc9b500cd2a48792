/* SPDX-License-Identifier: BSD-3-Clause */
/* What slurmctld knows of a node. In srun only. */
#ifndef STENCILMAP_NODEINFO_H
#define STENCILMAP_NODEINFO_H

#include "step/predict.h"

/* Asks slurmctld what its configuration says of a node. */
int nodeinfo_read(struct smap_node_kind *info, const char *node, struct smap_error *err);

#endif
