/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank costs that finds its cell by itself, as every slurmstepd does for its tasks: the
 * closed forms at p = 10^6, both ways, beside the mapping of all ranks at once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/numbers.h"
#include "best/algorithms.h"

#define SAMPLES 1000000

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const char *algorithm, const struct smap_instance *instance, const char *label)
{
    const struct smap_grid *grid = instance->grid;
    struct smap_error err = {""};
    struct smap_mapping *mapping = NULL;
    uint64_t seed = 1, sum = 0;
    uint32_t *cells = calloc(grid->cells, sizeof(*cells));
    double start = now();
    if (!cells || smap_mapping_from_text(&mapping, algorithm, instance, NULL, &err) != SMAP_OK) {
        printf("%-28s %-11s %s\n", label, algorithm, err.text);
        free(cells);
        return;
    }
    double prepared = now();
    for (int i = 0; i < SAMPLES; i++)
        sum += smap_mapping_cell(mapping, (uint32_t)(smap_random(&seed) % grid->cells));
    double forward = now();
    for (int i = 0; i < SAMPLES; i++)
        sum += smap_mapping_position(mapping, (uint32_t)(smap_random(&seed) % grid->cells));
    double back = now();
    smap_mapping_cells(cells, mapping);
    double all = now();
    printf("%-28s %-11s %9.3f us %9.3f us %9.3f us %9.1f ms%s\n", label, algorithm,
           1e6 * (prepared - start), 1e6 * (forward - prepared) / SAMPLES,
           1e6 * (back - forward) / SAMPLES, 1e3 * (all - back), sum == 0 ? " ?" : "");
    smap_mapping_destroy(mapping);
    free(cells);
}

int main(void)
{
    static const struct {
        const char *dims, *stencil, *sizes;
    } cases[] = {
        {"1000x1000", "nn", "125(x8000)"},
        {"100x100x100", "nn", "125(x8000)"},
        {"1000x1000", "moore", "128(x4000),122(x4000)"},
    };
    static const char *const algorithms[] = {"hyperplane", "kdtree", "strips", "nodecart"};
    printf("%-28s %-11s %12s %12s %12s %12s\n", "grid", "algorithm", "prepare", "cell", "position",
           "all cells");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_grid grid;
        struct smap_stencil *stencil = NULL;
        struct smap_nodesizes *sizes = NULL;
        uint32_t dims[SMAP_DIMS_MAX];
        size_t ndims;
        bool column;
        char label[64];
        if (smap_dims_parse(dims, &ndims, &column, cases[i].dims, &err) != SMAP_OK ||
            smap_grid_init(&grid, ndims, dims, NULL, &err) != SMAP_OK ||
            smap_stencil_parse(&stencil, cases[i].stencil, ndims, &err) != SMAP_OK ||
            smap_nodesizes_parse(&sizes, cases[i].sizes, &err) != SMAP_OK) {
            fprintf(stderr, "rank: %s\n", err.text);
            return 3;
        }
        snprintf(label, sizeof(label), "%s, %s", cases[i].dims,
                 i == 2 ? "two node sizes" : "8000 nodes");
        for (size_t a = 0; a < sizeof(algorithms) / sizeof(algorithms[0]); a++)
            measure(algorithms[a], &(struct smap_instance){&grid, stencil, sizes, NULL}, label);
        smap_stencil_destroy(stencil);
        smap_nodesizes_destroy(sizes);
    }
    return 0;
}
