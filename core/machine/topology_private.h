/* SPDX-License-Identifier: BSD-3-Clause */
/* What the topology modules share: hwloc's objects. Nobody else knows them. */
#ifndef SMAP_TOPOLOGY_PRIVATE_H
#define SMAP_TOPOLOGY_PRIVATE_H

#include <hwloc.h>

#include "machine/topology.h"

struct smap_hw_cpu {
    hwloc_obj_t pu;   /* NULL: no such cpu */
    hwloc_obj_t numa; /* the smallest NUMA node around it, of equals the first; or NULL */
    int numa_size;    /* its cpus */
};

struct smap_topology {
    hwloc_topology_t hw;
    hwloc_bitmap_t allowed;
    size_t cores; /* of the whole machine, in logical order */
    hwloc_obj_t *core;
    size_t cpus; /* by OS id */
    struct smap_hw_cpu *cpu;
};

/* The core of a PU; the PU itself where hwloc knows no core. */
hwloc_obj_t smap_hw_core(const struct smap_topology *topology, hwloc_obj_t pu);

#endif
