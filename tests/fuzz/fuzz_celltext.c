/* SPDX-License-Identifier: BSD-3-Clause */
/* The node of every cell: a line with a grid, then the text. */
#include "fuzz.h"
#include "map/celltext.h"

enum { NODES = 100, CELLS_MAX = 1000 };

static void check(const struct smap_grid *grid, const char *text)
{
    uint32_t node_of_cell[CELLS_MAX], again[CELLS_MAX];
    struct smap_error err = {""};
    char *written = NULL;
    if (smap_celltext_parse(node_of_cell, grid, NODES, text, &err) != SMAP_OK) {
        fuzz_check_error(err.text, sizeof(err.text));
        return;
    }
    for (uint32_t i = 0; i < grid->cells; i++)
        REQUIRE(node_of_cell[i] < NODES);
    REQUIRE(smap_celltext_format(&written, grid, node_of_cell, SIZE_MAX, NULL) == SMAP_OK);
    REQUIRE(smap_celltext_parse(again, grid, NODES, written, NULL) == SMAP_OK);
    REQUIRE(memcmp(again, node_of_cell, grid->cells * sizeof(*again)) == 0);
    free(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *input = fuzz_text(data, size), *rest = input, *line = fuzz_line(&rest);
    uint32_t dims[SMAP_DIMS_MAX];
    struct smap_grid grid;
    size_t ndims;
    bool column;
    if (line && rest && smap_dims_parse(dims, &ndims, &column, line, NULL) == SMAP_OK &&
        smap_grid_init(&grid, ndims, dims, NULL, NULL) == SMAP_OK && grid.cells <= CELLS_MAX)
        check(&grid, rest);
    free(input);
    return 0;
}
