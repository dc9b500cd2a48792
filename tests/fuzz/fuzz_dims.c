/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids. Two lines: dims "50x48,column" and periodic flags "1,0"; the number of cells is factorized
 * again in as many dimensions. */
#include "fuzz.h"
#include "grid/dims.h"
#include "grid/grid.h"
#include "step/nodesizes.h"

static void check_grid(const struct smap_grid *grid)
{
    uint32_t dims[SMAP_DIMS_MAX], coords[SMAP_DIMS_MAX];
    const uint32_t cells[] = {0, grid->cells / 2, grid->cells / 3, grid->cells - 1};
    size_t ndims;
    bool column;
    char *text = smap_dims_format(grid->dims, grid->ndims, false);
    REQUIRE(text && smap_dims_parse(dims, &ndims, &column, text, NULL) == SMAP_OK);
    REQUIRE(ndims == grid->ndims && !column);
    REQUIRE(memcmp(dims, grid->dims, ndims * sizeof(*dims)) == 0);
    free(text);
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        smap_grid_coords(coords, grid, cells[i]);
        for (size_t k = 0; k < grid->ndims; k++)
            REQUIRE(coords[k] < grid->dims[k]);
        REQUIRE(smap_grid_cell(grid, coords) == cells[i]);
    }
}

/* At least as balanced as the dims that were given. */
static void check_balanced(const struct smap_grid *grid)
{
    uint32_t dims[SMAP_DIMS_MAX], low = UINT32_MAX, high = 0;
    uint64_t product = 1;
    size_t d = grid->ndims;
    smap_dims_balanced(dims, grid->cells, d);
    for (size_t i = 0; i < d; i++) {
        REQUIRE(dims[i] > 0 && (i == 0 || dims[i] <= dims[i - 1]));
        product *= dims[i];
        low = grid->dims[i] < low ? grid->dims[i] : low;
        high = grid->dims[i] > high ? grid->dims[i] : high;
    }
    REQUIRE(product == grid->cells);
    REQUIRE(dims[0] - dims[d - 1] <= high - low);
}

/* With every other size given the rest is found again, and as a lattice of twice the dims. */
static void check_given(const struct smap_grid *grid)
{
    uint32_t fixed[SMAP_DIMS_MAX], lattice[SMAP_DIMS_MAX], dims[SMAP_DIMS_MAX];
    const struct smap_dims_rules rules = {grid->cells, grid->ndims, fixed, lattice, NULL};
    struct smap_error err = {""};
    uint64_t product = 1;
    for (size_t i = 0; i < grid->ndims; i++) {
        dims[i] = fixed[i] = i % 2 ? grid->dims[i] : 0;
        lattice[i] = grid->dims[i] < 1000 ? 2 * grid->dims[i] : grid->dims[i];
    }
    REQUIRE(smap_dims_fill(dims, grid->cells, grid->ndims, &err) == SMAP_OK);
    for (size_t i = 0; i < grid->ndims; i++) {
        product *= dims[i];
        REQUIRE(!fixed[i] || dims[i] == fixed[i]);
    }
    REQUIRE(product == grid->cells);
    if (smap_dims_lattice(dims, &rules, &err) != SMAP_OK) {
        fuzz_check_error(err.text, sizeof(err.text));
        return;
    }
    for (size_t i = 0; i < grid->ndims; i++)
        REQUIRE(lattice[i] % dims[i] == 0 && (!fixed[i] || dims[i] == fixed[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text;
    const char *dims_text = fuzz_line(&rest), *periodic_text = fuzz_line(&rest);
    struct smap_error err = {""};
    struct smap_grid grid;
    uint32_t dims[SMAP_DIMS_MAX];
    bool column, periodic[SMAP_DIMS_MAX] = {false};
    size_t ndims = 0, count = 0;
    int flags = smap_periodic_parse(periodic, &count, periodic_text ? periodic_text : "", &err);
    if (flags == SMAP_OK)
        REQUIRE(count >= 1 && count <= SMAP_DIMS_MAX && strlen(periodic_text) == 2 * count - 1);
    else
        fuzz_check_error(err.text, sizeof(err.text));
    err.text[0] = '\0';
    if (smap_dims_parse(dims, &ndims, &column, dims_text ? dims_text : "", &err) == SMAP_OK &&
        smap_grid_init(&grid, ndims, dims, flags == SMAP_OK ? periodic : NULL, &err) == SMAP_OK) {
        check_grid(&grid);
        check_balanced(&grid);
        check_given(&grid);
    } else {
        fuzz_check_error(err.text, sizeof(err.text));
    }
    free(text);
    return 0;
}
