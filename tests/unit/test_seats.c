/* SPDX-License-Identifier: BSD-3-Clause */
/* The seats of a node's tasks: told one by one by slots, or worked out from a hierarchy. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "grid/stencil.h"
#include "levels/levels.h"
#include "machine/slots_inside.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Both say the same of `count` tasks. */
static void check_same(const struct smap_levels *a, const struct smap_levels *b, uint32_t count)
{
    struct smap_inside x, y;
    uint32_t seat_x[64], seat_y[64];
    assert_int_equal(smap_levels_inside(&x, seat_x, a, count, NULL), SMAP_OK);
    assert_int_equal(smap_levels_inside(&y, seat_y, b, count, NULL), SMAP_OK);
    assert_memory_equal(seat_x, seat_y, count * sizeof(*seat_x));
    assert_int_equal(x.levels, y.levels);
    for (uint32_t k = 1; k < count; k++)
        for (size_t l = 0; l < x.levels; l++) {
            const uint32_t *ox = &x.object[k * x.levels + l], *oy = &y.object[k * x.levels + l];
            assert_int_equal(ox[0] == *(ox - x.levels), oy[0] == *(oy - x.levels));
            assert_string_equal(x.name[l], y.name[l]);
        }
    smap_inside_clear(&x);
    smap_inside_clear(&y);
}

static void test_slots_and_hierarchies(void **state)
{
    static const char *const machines[] = {"socket:2,l3:2,core:6", "socket:3,core:5", "core:7",
                                           "socket:2,fake:3,core:2,pu:2"};
    static const char *const orders[] = {NULL, "core", "core,socket", "0", "block:cyclic", "2-0-1"};
    size_t tried = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(machines) * COUNT(orders); i++) {
        const struct smap_slot_request request = {.hierarchy = machines[i / COUNT(orders)],
                                                  .order = orders[i % COUNT(orders)]};
        struct smap_slots slots = {0};
        struct smap_inside seats = {0};
        struct smap_levels told, read;
        if (smap_told_slots(&slots, &request, NULL) != SMAP_OK)
            continue; /* an order that this machine has not the levels for */
        tried++;
        assert_int_equal(smap_slots_seats(&seats, &slots, NULL), SMAP_OK);
        smap_levels_from_seats(&told, &slots.hierarchy, &seats);
        assert_int_equal(smap_levels_parse(&read, request.hierarchy, request.order, 1,
                                           (uint32_t)slots.count, NULL),
                         SMAP_OK);
        for (uint32_t count = 1; count <= slots.count; count++)
            check_same(&told, &read, count);
        struct smap_inside none;
        assert_int_equal(smap_levels_inside(&none, NULL, &told, (uint32_t)slots.count + 1, NULL),
                         SMAP_ENOTSUP);
        smap_inside_clear(&seats);
        smap_slots_clear(&slots);
    }
    assert_true(tried > 12);
}

/* Tasks on the cores of an order as they come, or seated by what they say to each other. */
static void test_seatings(void **state)
{
    static const struct {
        enum smap_seating seating;
        uint32_t socket[8];
    } cases[] = {
        {SMAP_SEATS_BY_RANK, {0, 0, 1, 1, 2, 2, 3, 3}},
        {SMAP_SEATS_BY_ORDER, {0, 1, 0, 1, 2, 3, 2, 3}},
        {SMAP_SEATS_BEST, {0, 0, 1, 1, 2, 2, 3, 3}},
    };
    const uint32_t dims[] = {8}, node_of_cell[] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct smap_grid grid;
    struct smap_stencil *stencil = NULL;
    struct smap_nodesizes *sizes = NULL;
    struct smap_levels levels;
    (void)state;
    assert_int_equal(smap_grid_init(&grid, 1, dims, NULL, NULL), SMAP_OK);
    assert_int_equal(smap_stencil_parse(&stencil, "nn", 1, NULL), SMAP_OK);
    assert_int_equal(smap_nodesizes_parse(&sizes, "4(x2)", NULL), SMAP_OK);
    assert_int_equal(smap_levels_parse(&levels, "socket:2,core:2", "socket", 2, 4, NULL), SMAP_OK);
    const struct smap_instance instance = {&grid, stencil, sizes, NULL};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct smap_seated seated = {node_of_cell, 2, cases[i].seating};
        uint32_t socket[8];
        uint64_t crossing[2];
        assert_int_equal(smap_levels_objects(socket, &levels, &instance, &seated, 0, NULL),
                         SMAP_OK);
        assert_memory_equal(socket, cases[i].socket, sizeof(socket));
        assert_int_equal(smap_levels_crossings(crossing, &levels, &instance, &seated, NULL),
                         SMAP_OK);
        uint64_t crossed = 0;
        for (uint32_t cell = 1; cell < 8; cell++)
            crossed += socket[cell] != socket[cell - 1] ? 2 : 0;
        assert_int_equal(crossing[0], crossed);
    }
    smap_stencil_destroy(stencil);
    smap_nodesizes_destroy(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots_and_hierarchies),
        cmocka_unit_test(test_seatings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
