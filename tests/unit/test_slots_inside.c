/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels around seats: those of the machine, and those that slots were walked through. */
#include "unit_topology.h"

#include "machine/slots_inside.h"

static const struct smap_topology_source machine = {.synthetic = "pack:2 [numa] l3:2 core:2 pu:2"};

/* Seats a and b are in one object of a level exactly where wanted[] has equal numbers. */
static void assert_objects(const struct smap_inside *inside, size_t level, const uint32_t wanted[])
{
    for (uint32_t a = 0; a < inside->seats; a++)
        for (uint32_t b = 0; b < inside->seats; b++)
            assert_int_equal(inside->object[a * inside->levels + level] ==
                                 inside->object[b * inside->levels + level],
                             wanted[a] == wanted[b]);
}

static void cpus_of_a_machine(void **state)
{
    static const unsigned cpu[] = {1, 1, 2, 5, 8, 12, 14, 15};
    static const char *const names[] = {"socket", "l3", "core", "pu"};
    enum { SEATS = sizeof(cpu) / sizeof(cpu[0]) };
    struct smap_topology *t = load(&machine);
    struct smap_inside inside;
    (void)state;
    assert_int_equal(smap_topology_inside(&inside, t, cpu, SEATS, NULL), SMAP_OK);
    assert_int_equal(inside.levels, COUNT(names));
    assert_int_equal(inside.seats, SEATS);
    for (size_t l = 0; l < inside.levels; l++) {
        uint32_t wanted[SEATS];
        assert_string_equal(inside.name[l], names[l]);
        for (size_t k = 0; k < SEATS; k++)
            wanted[k] = cpu[k] >> (3 - l); /* 8 in a socket, 4 in an L3, 2 in a core */
        assert_objects(&inside, l, wanted);
    }
    smap_inside_clear(&inside);
    smap_topology_destroy(t);
}

/* A seat on a cpu that the machine does not show is in no object of any level. */
static void an_unknown_cpu(void **state)
{
    static const unsigned cpu[] = {0, 99};
    struct smap_topology *t = load(&machine);
    struct smap_inside inside;
    (void)state;
    assert_int_equal(smap_topology_inside(&inside, t, cpu, 2, NULL), SMAP_OK);
    for (size_t l = 0; l < inside.levels; l++) {
        assert_int_not_equal(inside.object[l], SMAP_NO_OBJECT);
        assert_int_equal(inside.object[inside.levels + l], SMAP_NO_OBJECT);
    }
    smap_inside_clear(&inside);
    smap_topology_destroy(t);
}

/* All in the second socket: that level divides nothing, and the others stay as they are. */
static void settled_in_one_socket(void **state)
{
    static const unsigned cpu[] = {8, 9, 12, 13, 14};
    static const uint32_t l3[] = {0, 0, 1, 1, 1}, core[] = {0, 0, 1, 1, 2};
    struct smap_topology *t = load(&machine);
    struct smap_inside inside;
    (void)state;
    assert_int_equal(smap_topology_inside(&inside, t, cpu, COUNT(cpu), NULL), SMAP_OK);
    smap_inside_settle(&inside);
    assert_int_equal(inside.levels, 2);
    assert_string_equal(inside.name[0], "l3");
    assert_string_equal(inside.name[1], "core");
    assert_objects(&inside, 0, l3);
    assert_objects(&inside, 1, core);
    smap_inside_clear(&inside);
    smap_topology_destroy(t);
}

/* The slots of an order, in logical order: its levels, fake ones too, without those that divide
 * nothing. */
static void slots_of_an_order(void **state)
{
    static const struct {
        const char *order, *hierarchy;
        size_t count;
        uint32_t number[8]; /* the slots in logical order */
        size_t levels;
        struct {
            uint32_t object[8];
        } level[3];
    } cases[] = {
        /* cores 0,4,2,6,1,5,3,7 */
        {"socket,l3,core",
         NULL,
         8,
         {0, 4, 2, 6, 1, 5, 3, 7},
         2,
         {{{0, 0, 0, 0, 1, 1, 1, 1}}, {{0, 0, 1, 1, 2, 2, 3, 3}}}},
        /* cores 0,4,2: one in an L3 */
        {"socket,l3,core", NULL, 3, {0, 2, 1}, 1, {{{0, 0, 1}}}},
        {"fake,core",
         "socket:2,fake:2,core:2",
         8,
         {0, 4, 1, 5, 2, 6, 3, 7},
         2,
         {{{0, 0, 0, 0, 1, 1, 1, 1}}, {{0, 0, 1, 1, 2, 2, 3, 3}}}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct smap_slot_request request = {.order = cases[i].order,
                                                  .hierarchy = cases[i].hierarchy,
                                                  .count = cases[i].count,
                                                  .leaf = SMAP_LEAF_CORE};
        struct smap_topology *t = load(&machine);
        struct smap_slots slots = {0};
        struct smap_inside inside;
        struct smap_error err = {""};
        uint32_t count = (uint32_t)cases[i].count;
        if (smap_topology_slots(&slots, t, &request, &err) != SMAP_OK)
            fail_msg("%s", err.text);
        for (uint32_t k = 1; k < count; k++)
            assert_true(slots.core[cases[i].number[k - 1]] < slots.core[cases[i].number[k]]);
        assert_int_equal(smap_slots_inside(&inside, &slots, cases[i].number, count, NULL), SMAP_OK);
        assert_int_equal(inside.levels, cases[i].levels);
        for (size_t l = 0; l < inside.levels; l++)
            assert_objects(&inside, l, cases[i].level[l].object);
        smap_inside_clear(&inside);
        smap_slots_clear(&slots);
        smap_topology_destroy(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_of_a_machine),
        cmocka_unit_test(an_unknown_cpu),
        cmocka_unit_test(settled_in_one_socket),
        cmocka_unit_test(slots_of_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
