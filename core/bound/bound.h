/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds on J_sum over all mappings of an instance: a certificate for a good one. */
#ifndef SMAP_BOUND_H
#define SMAP_BOUND_H

#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

/* A number that J_sum of no mapping undercuts; 0 where nothing better is proven. */
int smap_bound_jsum(uint64_t *bound, const struct smap_instance *instance, struct smap_error *err);

#endif
