/* SPDX-License-Identifier: BSD-3-Clause */
/* The hints as PMIx keys "stencilmap.rank", "stencilmap.coords", ..., for programs whose
 * environment does not come from Slurm. */
#ifndef STENCILMAP_PMIX_H
#define STENCILMAP_PMIX_H

#include <stdint.h>

#include "base/error.h"

struct pmix_publisher;

/* NULL if this slurmstepd runs no PMIx server, or the plugin was built without PMIx; with a text in
 * err, which may be NULL, if the server's library is of a version that is not known to lay out its
 * structures as the one that the plugin was built with. */
struct pmix_publisher *pmix_open(uint32_t jobid, uint32_t stepid, struct smap_error *err);
void pmix_close(struct pmix_publisher *publisher);

/* Publishes a string for one rank, or for all of them with PMIX_ALL_RANKS. Failure is no matter. */
#define PMIX_ALL_RANKS UINT32_MAX
void pmix_publish(struct pmix_publisher *publisher, uint32_t rank, const char *key,
                  const char *value);

#endif
