/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks of several cpus: whole cores where they suffice, neighbouring hardware threads where they
 * do not. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/slots_tasks.h"

/* PUs of core c: 2c and 2c + 1. */
static const char smt[] = "pack:2 l3:2 core:4 pu:2";

static void add_slots(struct smap_text *text, const struct smap_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        for (size_t c = slots->first[i]; c < slots->first[i + 1]; c++)
            smap_text_add(text, "%s%u", c > slots->first[i] ? "," : i ? " " : "", slots->cpus[c]);
}

static char *answer(const char *machine, const struct smap_slot_request *request, uint64_t cpus,
                    uint64_t per_core)
{
    const struct smap_topology_source source = {.synthetic = machine};
    struct smap_topology *topology = NULL;
    struct smap_slots slots = {0};
    struct smap_error err = {""};
    struct smap_text text = {0};
    struct smap_slot_request asked = *request;
    asked.cpus_per_task = cpus;
    asked.cpus_per_core = per_core;
    assert_int_equal(smap_topology_load(&topology, &source, &err), SMAP_OK);
    if (smap_topology_task_slots(&slots, topology, &asked, &err) != SMAP_OK)
        smap_text_add(&text, "%s", err.text);
    add_slots(&text, &slots);
    smap_slots_clear(&slots);
    smap_topology_destroy(topology);
    return smap_text_take(&text);
}

static void expect(const char *machine, struct smap_slot_request request, uint64_t cpus,
                   const char *wanted)
{
    char *got = answer(machine, &request, cpus, 0);
    assert_string_equal(got, wanted);
    free(got);
}

static void whole_cores(void **state)
{
    (void)state;
    struct smap_slot_request r = {.order = "l3,core", .count = 4};
    expect(smt, r, 0, "0,1 8,9 16,17 24,25");
    expect(smt, r, 1, "0,1 8,9 16,17 24,25");
    expect(smt, r, 2, "0,1 8,9 16,17 24,25");
    expect(smt, r, 3, "0,1,2,3 8,9,10,11 16,17,18,19 24,25,26,27");
    expect(smt, r, 4, "0,1,2,3 8,9,10,11 16,17,18,19 24,25,26,27");
    r.threads_per_core = 1;
    expect(smt, r, 1, "0 8 16 24");
    expect(smt, r, 2, "0,2 8,10 16,18 24,26");
}

/* More tasks than cores: all cores get one before any gets a second. */
static void shared_cores(void **state)
{
    (void)state;
    const char machine[] = "pack:2 core:2 pu:2";
    const char wanted[] = "0 4 2 6 1 5 3 7";
    const char *const orders[] = {"socket,core", "0-1", "0,1", "0-1,membind"};
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        expect(machine, (struct smap_slot_request){.order = orders[i], .count = 8}, 1, wanted);
    struct smap_slot_request r = {.order = "0-1", .hierarchy = "2,2", .count = 8};
    expect(machine, r, 1, wanted);
    r.hierarchy = "socket:2,core:2";
    expect(machine, r, 1, wanted);
    r.hierarchy = "socket:2,core:2,pu:2";
    r.order = "pu,socket,core";
    expect(machine, r, 1, "0 1 4 5 2 3 6 7");
    /* Level numbers of H that reach down to the threads. */
    r.hierarchy = "2,2,2";
    r.order = "2-0-1";
    expect(machine, r, 1, "0 1 4 5 2 3 6 7");
}

/* Numbers that are both the nodes' cores and one node's threads: the nodes of the step decide. */
static void numbers_of_nodes(void **state)
{
    (void)state;
    const char machine[] = "pack:2 core:2 pu:2";
    struct smap_slot_request r = {.order = "1-0", .hierarchy = "2,4", .count = 2, .nodes = 2};
    expect(machine, r, 1, "0,1 2,3");
    r.count = 8; /* too many for 4 cores: threads */
    expect(machine, r, 1, "0 1 2 3 4 5 6 7");
    r.count = 2;
    r.nodes = 3;
    expect(machine, r, 1, "0 1");
}

/* 3 threads a task: 5 tasks of 2 cores are more than 8 cores, 15 threads are not more than 16. */
static void odd_tasks(void **state)
{
    (void)state;
    struct smap_slot_request r = {.order = "core", .count = 5};
    expect("pack:1 core:8 pu:2", r, 3, "0,1,2 3,4,5 6,7,8 9,10,11 12,13,14");
    r.count = 4;
    expect("pack:1 core:8 pu:2", r, 3, "0,1,2,3 4,5,6,7 8,9,10,11 12,13,14,15");
}

static void no_room(void **state)
{
    (void)state;
    struct smap_slot_request r = {.order = "core", .count = 9};
    expect("pack:2 core:2 pu:2", r, 1, "9 tasks, but only 4 cores here (socket:2 core:2)");
    r.count = 3; /* 3 x 2 cores of 4, and 3 x 4 threads of 8 */
    char *got = answer("pack:2 core:2 pu:2", &r, 4, 0);
    assert_string_equal(
        got, "--cpus-per-task=4: room for 2 tasks of 2 cores, not for 3 (socket:2 core:2)");
    free(got);
    r.count = 5;
    expect("pack:1 core:4 pu:1", r, 1, "5 tasks, but only 4 cores here (core:4)");
}

/* The scheduler counts cores although they have threads: no task shares one. */
static void counted_as_cores(void **state)
{
    (void)state;
    struct smap_slot_request r = {.order = "socket,core", .count = 2};
    char *got = answer("pack:2 core:2 pu:2", &r, 2, 1);
    assert_string_equal(got, "0,1,2,3 4,5,6,7");
    free(got);
    r.count = 5;
    got = answer("pack:2 core:2 pu:2", &r, 1, 1);
    assert_string_equal(got, "5 tasks, but only 4 cores here (socket:2 core:2)");
    free(got);
}

/* Second threads that are switched off still count to the scheduler. */
static void counted_as_threads(void **state)
{
    (void)state;
    struct smap_slot_request r = {.order = "socket,core", .count = 4};
    char *got = answer("[numa] pack:2 core:2 pu:1", &r, 2, 2);
    assert_string_equal(got, "0 2 1 3");
    free(got);
    got = answer("[numa] pack:2 core:2 pu:1", &r, 1, 2);
    assert_string_equal(got, "0 2 1 3");
    free(got);
    r.count = 2;
    got = answer("[numa] pack:2 core:2 pu:1", &r, 3, 2);
    assert_string_equal(got, "0,1 2,3");
    free(got);
    r.threads_per_core = 1; /* what the user limits does not count */
    got = answer("[numa] pack:2 core:2 pu:1", &r, 2, 2);
    assert_string_equal(got, "0,1 2,3");
    free(got);
    r.count = 5;
    r.threads_per_core = 0;
    got = answer("[numa] pack:2 core:2 pu:1", &r, 1, 2);
    assert_string_equal(got, "5 tasks, but only 4 cores here (socket:2 core:2)");
    free(got);
}

/* A machine that is told is walked through as one that is there. */
static void told_machines(void **state)
{
    static const struct {
        const char *machine, *hierarchy;
    } machines[] = {
        {"[numa] pack:2 l3:2 core:6 pu:1", "socket:2,l3:2,core:6"},
        {"[numa] pack:2 l3:2 core:6 pu:2", "socket:2,l3:2,core:6,pu:2"},
        {"[numa] pack:3 core:4 pu:1", "node:2,socket:3,core:4"},
    };
    static const char *const orders[] = {NULL, "socket", "core", "core,socket", "block:cyclic"};
    (void)state;
    for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++)
        for (unsigned i = 0; i < 5 * 6 * 4 * 3; i++) {
            struct smap_slot_request request = {
                .order = orders[i % 5],
                .hierarchy = machines[m].hierarchy,
                .cpus_per_task = i / 5 % 6 + 1,
                .count = (uint64_t[]){0, 1, 3, 5}[i / 30 % 4],
                .tasks_per_socket = i / 120,
            };
            struct smap_slots told = {0};
            struct smap_error err = {""};
            struct smap_text text = {0};
            char *there = answer(machines[m].machine, &request, request.cpus_per_task, 0);
            if (smap_told_slots(&told, &request, &err) != SMAP_OK)
                smap_text_add(&text, "%s", err.text);
            add_slots(&text, &told);
            smap_slots_clear(&told);
            char *got = smap_text_take(&text);
            assert_string_equal(got, there);
            free(got);
            free(there);
        }
}

/* At most so many tasks on a socket: later cores take the place of those that are too many. */
static void limited_sockets(void **state)
{
    (void)state;
    const char machine[] = "[numa] pack:2 core:4 pu:1";
    struct smap_slot_request r = {.count = 4, .tasks_per_socket = 2};
    expect(machine, r, 1, "0 1 4 5");
    expect(machine, r, 2, "0,1 2,3 4,5 6,7");
    r.order = "socket";
    expect(machine, r, 1, "0 4 1 5");
    r.order = "core";
    expect(machine, r, 1, "--rank-order=core puts 4 tasks on one socket, --ntasks-per-socket=2");
    r.count = 5;
    r.order = NULL;
    expect(machine, r, 1, "--ntasks-per-socket=2: room for 4 tasks, not for 5 (socket:2 core:4)");
    r.count = 0;
    expect(machine, r, 1, "0 1 4 5");
    r.count = 2;
    expect("[numa] core:4 pu:1", r, 1, "0 1");
    r.count = 3;
    expect("[numa] core:4 pu:1", r, 1,
           "--ntasks-per-socket=2: room for 2 tasks, not for 3 (core:4)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_cores),
        cmocka_unit_test(shared_cores),
        cmocka_unit_test(numbers_of_nodes),
        cmocka_unit_test(odd_tasks),
        cmocka_unit_test(no_room),
        cmocka_unit_test(counted_as_cores),
        cmocka_unit_test(counted_as_threads),
        cmocka_unit_test(told_machines),
        cmocka_unit_test(limited_sockets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
