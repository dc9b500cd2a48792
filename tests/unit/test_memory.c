/* SPDX-License-Identifier: BSD-3-Clause */
/* Without memory core says so, whichever of its requests is the one that fails. */
#include "unit.h"

#include "best/algorithms.h"
#include "levels/inside.h"
#include "plan/part.h"
#include "unit_instance.h"
#include "unit_memory.h"

static int divide_part(struct smap_error *err)
{
    static const uint32_t node_of_cell[] = {1, 1, 3, 3, 1, 0};
    struct smap_part part;
    int rc = smap_part_init(&part, node_of_cell, 6, 5, err);
    smap_part_clear(&part);
    return rc;
}

static int cross_seats(struct smap_error *err)
{
    static const uint32_t cells[] = {0, 1, 2, 3}, seat_of[] = {0, 2, 1, 3};
    static uint32_t socket[] = {0, 0, 1, 1};
    const struct smap_inside inside = {.levels = 1, .seats = 4, .object = socket};
    struct instance in;
    unsigned left = memory_left;
    uint64_t crossing[1];
    memory_left = 0;
    instance_init(&in, "4", "nn", NULL, NULL);
    memory_left = left;
    int rc = smap_inside_crossings(crossing, &inside, UNIT_INSTANCE(&in), cells, seat_of, err);
    instance_release(&in);
    return rc;
}

static int map_greedily(struct smap_error *err)
{
    struct smap_mapping *mapping = NULL;
    struct instance in;
    unsigned left = memory_left;
    memory_left = 0;
    instance_init(&in, "4x3", "nn", "5,7", NULL);
    memory_left = left;
    int rc = smap_mapping_from_text(&mapping, "greedy-distributed", UNIT_INSTANCE(&in), NULL, err);
    smap_mapping_destroy(mapping);
    instance_release(&in);
    return rc;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    memory_runs_out(map_greedily);
    memory_runs_out(divide_part);
    memory_runs_out(cross_seats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
