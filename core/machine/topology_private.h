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
    size_t gpus; /* by PCI address; 0: there are none, or nobody has asked */
    hwloc_obj_t gpu[SMAP_GPUS_MAX];
};

/* Fills in the GPUs. */
void smap_hw_find_gpus(struct smap_topology *topology);

/* The nearest GPU of each core; the allowed cores that are near to the same GPUs are divided over
 * these. SMAP_NO_OBJECT without a GPU, and for other cores. */
int smap_hw_gpus_of_cores(uint32_t gpu_of_core[], const struct smap_topology *topology,
                          struct smap_error *err);

/* The core of a PU; the PU itself where hwloc knows no core. */
hwloc_obj_t smap_hw_core(const struct smap_topology *topology, hwloc_obj_t pu);

#endif
