/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "map/celltext.h"

enum { CELLS_MAX = 6000 };

static struct smap_grid grid_of(size_t ndims, const uint32_t dims[])
{
    struct smap_grid grid;
    assert_int_equal(smap_grid_init(&grid, ndims, dims, NULL, NULL), SMAP_OK);
    return grid;
}

static void texts_are_these(void **state)
{
    static const uint32_t blocks[] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    static const uint32_t stripes[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    static const uint32_t equal[16] = {0};
    static const struct {
        const uint32_t *node_of_cell;
        const char *text;
    } cases[] = {{blocks, "0b,1ba4,2b,3ba4"}, {stripes, "0,1,2,3a12"}, {equal, "0b15"}};
    const struct smap_grid grid = grid_of(2, (uint32_t[]){4, 4});
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = NULL;
        assert_int_equal(smap_celltext_format(&text, &grid, cases[i].node_of_cell, 1000, NULL),
                         SMAP_OK);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* Irregular divisions: blocks with cells exchanged at random, on random grids. */
static void round_trip(void **state)
{
    uint64_t random = 20261128;
    (void)state;
    for (int round = 0; round < 300; round++) {
        uint32_t dims[4], node_of_cell[CELLS_MAX], again[CELLS_MAX], cells = 1;
        size_t ndims = unit_between(&random, 1, 4);
        for (size_t i = 0; i < ndims; i++)
            cells *= dims[i] = unit_between(&random, 1, ndims == 1 ? 200 : 8);
        const struct smap_grid grid = grid_of(ndims, dims);
        uint32_t nodes = unit_between(&random, 1, cells), swaps = unit_between(&random, 0, cells);
        char *text = NULL;
        for (uint32_t i = 0; i < cells; i++)
            node_of_cell[i] = i * nodes / cells;
        while (swaps-- > 0) {
            uint32_t a = unit_between(&random, 0, cells - 1);
            uint32_t b = unit_between(&random, 0, cells - 1);
            uint32_t node = node_of_cell[a];
            node_of_cell[a] = node_of_cell[b];
            node_of_cell[b] = node;
        }
        assert_int_equal(smap_celltext_format(&text, &grid, node_of_cell, SIZE_MAX, NULL), SMAP_OK);
        assert_int_equal(smap_celltext_parse(again, &grid, nodes, text, NULL), SMAP_OK);
        assert_memory_equal(again, node_of_cell, cells * sizeof(*again));
        free(text);
    }
}

static void too_long_is_no_text(void **state)
{
    static const uint32_t node_of_cell[] = {0, 1, 2, 3};
    const struct smap_grid grid = grid_of(1, (uint32_t[]){4});
    char *text = NULL;
    (void)state;
    assert_int_equal(smap_celltext_format(&text, &grid, node_of_cell, 7, NULL), SMAP_OK);
    assert_string_equal(text, "0,1,2,3");
    free(text);
    assert_int_equal(smap_celltext_format(&text, &grid, node_of_cell, 6, NULL), SMAP_OK);
    assert_null(text);
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",       /* no cells */
        "0b14",   /* too few */
        "0b16",   /* too many */
        "0b15,0", /* the same */
        "0b15b",  /* the same */
        "0b4294967295",
        "0b99999999999999999999",
        "b16",  /* nothing before */
        "0a15", /* no row before */
        "0c15", /* no such dimension */
        "0q15", /* the same */
        "4b15", /* no such node */
        "99999999999b15",
        "-1b15",
        "0b0b15",
        "0,b15",
        ",0b15",
        "0b15,",
        "0 b15",
        "0b15 ",
        "0B15",
    };
    const struct smap_grid grid = grid_of(2, (uint32_t[]){4, 4});
    uint32_t node_of_cell[16];
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct smap_error err = {""};
        if (smap_celltext_parse(node_of_cell, &grid, 4, texts[i], &err) != SMAP_EINVAL)
            fail_msg("'%s' is taken", texts[i]);
        assert_string_not_equal(err.text, "");
    }
    assert_int_equal(smap_celltext_parse(node_of_cell, &grid, 4, "3b15", NULL), SMAP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_these),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(too_long_is_no_text),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
