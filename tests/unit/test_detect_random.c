/* SPDX-License-Identifier: BSD-3-Clause */
/* Any grid of up to 5 dimensions with any stencil that has a name, periodic or not, is found, or
 * another one with the same pairs. */
#include "unit_detect.h"

/* Of 2 to 9 cells a side, few enough in all. Ranks that are numbered otherwise than row-major have
 * other dims, so all orders are among these. */
static void random_grid(struct smap_grid *grid, uint64_t *random)
{
    uint32_t dims[5], cells;
    bool periodic[5];
    size_t ndims = unit_between(random, 1, 5);
    do {
        cells = 1;
        for (size_t i = 0; i < ndims; i++) {
            dims[i] = unit_between(random, 2, ndims == 1 ? 99 : ndims == 2 ? 24 : 8);
            periodic[i] = unit_between(random, 0, 1);
            cells *= dims[i];
        }
    } while (cells < 8 || cells > 700);
    assert_int_equal(smap_grid_init(grid, ndims, dims, periodic, NULL), SMAP_OK);
}

static void finds_any_grid(void **state)
{
    uint64_t random = smap_random_state(5);
    size_t tries = 0, complete = 0;
    (void)state;
    while (tries < 120) {
        const char *name, *summary;
        struct known known;
        struct smap_record record;
        struct smap_detection d;
        size_t which = unit_between(&random, 0, 10);
        random_grid(&known.grid, &random);
        if (!smap_stencil_name(&name, &summary, which) ||
            smap_stencil_parse(&known.stencil, name, known.grid.ndims, NULL) != SMAP_OK)
            continue;
        assert_int_equal(smap_record_init(&record, known.grid.cells, NULL), SMAP_OK);
        traffic_of_grid(&record, &known.grid, known.stencil, NULL, 7, 1234);
        assert_int_equal(smap_record_finish(&record, NULL), SMAP_OK);
        assert_int_equal(smap_detect(&d, &record, NULL), SMAP_OK);
        /* Where more than half of all pairs talk, saying who does not is as short. */
        bool dense = 2 * record.edges > (uint64_t)record.ranks * (record.ranks - 1);
        if (!dense && (d.count == 0 || !is_right(&d, &known))) {
            char *was = smap_dims_format(known.grid.dims, known.grid.ndims, false);
            char *is = d.count ? smap_finding_dims(&d.finding[0]) : NULL;
            fail_msg("%s on %s (periodic %d%d%d%d%d): %s, %s, %zu parts, %zu pairs of %zu", name,
                     was, known.grid.periodic[0], known.grid.periodic[1], known.grid.periodic[2],
                     known.grid.periodic[3], known.grid.periodic[4], is ? is : "nothing",
                     d.count ? d.finding[0].stencil_text : "", d.parts,
                     d.count ? (size_t)d.finding[0].pairs : 0, record.edges);
        }
        tries += !dense;
        complete += dense;
        if (d.count > 0)
            check_line(&d.finding[0], &record);
        smap_detection_clear(&d);
        smap_record_clear(&record);
        smap_stencil_destroy(known.stencil);
    }
    assert_true(complete < 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_any_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
