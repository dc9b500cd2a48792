/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of cells that talk between nodes, each once. */
#include "unit.h"

#include <stdlib.h>

#include "grid/score.h"
#include "unit_instance.h"

/* A matrix of who sends to whom, by the definition of a stencil's edges. */
static void by_brute_force(void **state)
{
    static const char *const grids[] = {"1", "2", "7", "4x8", "2x2", "3x1x5", "2x3x4", "3x3x3"};
    static const char *const stencils[] = {"nn", "moore", "hops", "diagonal"};
    uint64_t seed = 4711;
    (void)state;
    for (int round = 0; round < 400; round++) {
        const bool periodic[SMAP_DIMS_MAX] = {round & 1, round & 2, round & 4};
        struct instance in;
        uint64_t pairs, want = 0;
        instance_init(&in, grids[unit_between(&seed, 0, 7)], stencils[unit_between(&seed, 0, 3)],
                      NULL, periodic);
        uint32_t p = in.grid.cells, n = unit_between(&seed, 1, 5);
        uint32_t *nodes = calloc(p, sizeof(*nodes));
        bool *sends = calloc((size_t)p * p, sizeof(*sends));
        for (uint32_t c = 0; c < p; c++)
            nodes[c] = unit_between(&seed, 0, n - 1);
        for (uint32_t c = 0; c < p; c++) {
            uint32_t coords[SMAP_DIMS_MAX], to;
            smap_grid_coords(coords, &in.grid, c);
            for (size_t i = 0; i < in.stencil->count; i++)
                if (smap_grid_neighbour(&to, &in.grid, coords, smap_stencil_offset(in.stencil, i),
                                        1))
                    sends[(size_t)c * p + to] = true;
        }
        for (size_t i = 0; i < (size_t)p * p; i++)
            want += sends[i] && nodes[i / p] != nodes[i % p];
        const struct smap_instance instance = {.grid = &in.grid, .stencil = in.stencil};
        assert_int_equal(smap_score_pairs(&pairs, &instance, nodes, NULL), SMAP_OK);
        assert_int_equal(pairs, want);
        free(nodes);
        free(sends);
        instance_release(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
