/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found, compared with what is known. */
#ifndef STENCILMAP_UNIT_DETECT_H
#define STENCILMAP_UNIT_DETECT_H

#include "unit_record.h"

#include <string.h>

#include "detect/detect.h"

struct known {
    struct smap_grid grid;
    struct smap_stencil *stencil;
};

/* The finding as the pairs that it says there are: the line that is printed, read again. */
static inline void check_line(const struct smap_finding *f, const struct smap_record *record)
{
    struct smap_stencil *stencil = NULL;
    assert_int_equal(smap_stencil_parse(&stencil, f->stencil_text, f->counted.ndims, NULL),
                     SMAP_OK);
    struct smap_record pairs;
    assert_int_equal(smap_record_init(&pairs, f->counted.cells, NULL), SMAP_OK);
    traffic_of_grid(&pairs, &f->counted, stencil, NULL, 1, 1);
    assert_int_equal(smap_record_finish(&pairs, NULL), SMAP_OK);
    assert_int_equal(pairs.edges, f->grid_pairs);
    assert_int_equal(pairs.messages, f->grid_pairs); /* each pair once */
    assert_true(f->pairs <= record->edges);
    smap_record_clear(&pairs);
    smap_stencil_destroy(stencil);
}

/* Is it the grid, by the same dims or the same pairs? */
static inline bool is_right(const struct smap_detection *d, const struct known *known)
{
    const struct smap_finding *f = &d->finding[0];
    if (d->parts != 1 || f->grid.cells != known->grid.cells)
        return false;
    if (f->grid.ndims == known->grid.ndims &&
        memcmp(f->grid.dims, known->grid.dims, sizeof(f->grid.dims)) == 0)
        return true;
    struct smap_record found, wanted;
    assert_int_equal(smap_record_init(&found, f->grid.cells, NULL), SMAP_OK);
    assert_int_equal(smap_record_init(&wanted, f->grid.cells, NULL), SMAP_OK);
    traffic_of_grid(&found, &f->counted, f->stencil, NULL, 1, 1);
    traffic_of_grid(&wanted, &known->grid, known->stencil, NULL, 1, 1);
    assert_int_equal(smap_record_finish(&found, NULL), SMAP_OK);
    assert_int_equal(smap_record_finish(&wanted, NULL), SMAP_OK);
    bool same = found.edges == wanted.edges;
    for (size_t i = 0; same && i < found.edges; i++)
        same = found.edge[i].from == wanted.edge[i].from && found.edge[i].to == wanted.edge[i].to;
    smap_record_clear(&found);
    smap_record_clear(&wanted);
    return same;
}

#endif
