/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodecart: W. Gropp, "Using node and socket information to implement MPI Cartesian topologies"
 * (2019). Every node gets the same box; the boxes tile the grid. */
#include <inttypes.h>
#include <stdlib.h>

#include "map/algorithm.h"

struct params {
    uint32_t n;                    /* cells of a node */
    uint32_t box[SMAP_DIMS_MAX];   /* what one node covers */
    uint32_t boxes[SMAP_DIMS_MAX]; /* how many of them there are along each dimension */
};

static uint32_t largest_prime_factor(uint32_t n)
{
    uint32_t largest = 1;
    for (uint32_t q = 2; q <= n / q; q++)
        for (; n % q == 0; n /= q)
            largest = q;
    return n > 1 ? n : largest;
}

/* Hands the prime factors of n to the dimensions, the largest first, each to the dimension with
 * the most room left that it divides (ties: the first). */
static int factorize(struct params *params, const struct smap_grid *grid, struct smap_error *err)
{
    uint32_t rest = params->n;
    for (size_t i = 0; i < grid->ndims; i++) {
        params->box[i] = 1;
        params->boxes[i] = grid->dims[i];
    }
    while (rest > 1) {
        uint32_t prime = largest_prime_factor(rest);
        size_t widest = grid->ndims;
        for (size_t i = 0; i < grid->ndims; i++)
            if (params->boxes[i] % prime == 0 &&
                (widest == grid->ndims || params->boxes[i] > params->boxes[widest]))
                widest = i;
        if (widest == grid->ndims)
            return smap_fail(err, SMAP_ENOTSUP,
                             "nodecart: the factor %" PRIu32 " of %" PRIu32
                             " tasks per node divides no dimension",
                             prime, params->n);
        params->box[widest] *= prime;
        params->boxes[widest] /= prime;
        rest /= prime;
    }
    return SMAP_OK;
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct params *params = calloc(1, sizeof(*params));
    if (!params)
        return smap_nomem(err);
    m->params = params;
    params->n = smap_nodesizes_uniform(m->in.sizes);
    return factorize(params, m->in.grid, err);
}

static void cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    const struct params *params = m->params;
    uint32_t node = position / params->n, slot = position % params->n;
    for (size_t i = m->in.grid->ndims; i-- > 0;) {
        coords[i] = node % params->boxes[i] * params->box[i] + slot % params->box[i];
        node /= params->boxes[i];
        slot /= params->box[i];
    }
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    const struct params *params = m->params;
    uint32_t node = 0, slot = 0;
    for (size_t i = 0; i < m->in.grid->ndims; i++) {
        node = node * params->boxes[i] + coords[i] / params->box[i];
        slot = slot * params->box[i] + coords[i] % params->box[i];
    }
    return node * params->n + slot;
}

const struct smap_algorithm smap_algorithm_nodecart = {
    .name = "nodecart",
    .summary = "a box per node from the prime factors of the node size (Gropp 2019)",
    .equal_sizes = true,
    .prepare = prepare,
    .cell = cell,
    .position = position,
};
