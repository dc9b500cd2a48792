/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/seats.h"

#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

/* A number from a file of /sys about a cpu; 0 without it. */
static int32_t read_number(int cpu, const char *file)
{
    char path[128];
    int number = 0;
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
    FILE *in = fopen(path, "re");
    if (!in)
        return 0;
    if (fscanf(in, "%d", &number) != 1)
        number = 0;
    fclose(in);
    return number;
}

/* The directory of a cpu has a link to its NUMA domain: node0. */
static int32_t numa_of(int cpu)
{
    char path[64];
    int number = 0;
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (sscanf(entry->d_name, "node%d", &number) == 1)
            break;
    if (directory)
        closedir(directory);
    return number;
}

struct bench_seat bench_seat_own(void)
{
    struct bench_seat seat = {0, 0, 0, -1};
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
        return seat;
    int cpu = 0;
    while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &mask))
        cpu++;
    if (cpu == CPU_SETSIZE)
        return seat;
    return (struct bench_seat){read_number(cpu, "topology/physical_package_id"), numa_of(cpu),
                               read_number(cpu, "cache/index3/id"), cpu};
}

/* Where a process sits, and which one it is. */
struct place {
    struct bench_seat seat;
    uint32_t process;
};

static int compare_numbers(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
    const struct bench_seat *x = &((const struct place *)a)->seat;
    const struct bench_seat *y = &((const struct place *)b)->seat;
    int order = compare_numbers(x->package, y->package);
    if (order == 0)
        order = compare_numbers(x->numa, y->numa);
    if (order == 0)
        order = compare_numbers(x->l3, y->l3);
    return order ? order : compare_numbers(x->cpu, y->cpu);
}

/* Processes next to each other that sit in the same object of a level: 0 to 2 for package, NUMA
 * domain and cache; an object lies in one of the level before. */
static bool together(const struct place *a, const struct place *b, int level)
{
    return a->seat.package == b->seat.package && (level < 1 || a->seat.numa == b->seat.numa) &&
           (level < 2 || a->seat.l3 == b->seat.l3);
}

/* How many processes each object of a level has; 0 if that differs. */
static uint32_t members(const struct place places[], uint32_t count, uint32_t n, int level)
{
    uint32_t members = 0, run = 0;
    for (uint32_t i = 0; i < count; i++) {
        run++;
        if ((i + 1) % n != 0 && together(&places[i], &places[i + 1], level))
            continue;
        if (members && run != members)
            return 0;
        members = run;
        run = 0;
    }
    return members;
}

static void find_levels(struct smap_hierarchy *inside, const struct place places[], uint32_t count,
                        uint32_t n)
{
    static const char *const names[] = {"socket", "numa", "l3"};
    char text[128] = "";
    uint32_t outer = n;
    size_t used = 0;
    for (int level = 0; level < 3; level++) {
        uint32_t inner = members(places, count, n, level);
        if (inner == 0 || inner == outer)
            continue;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s:%" PRIu32 ",", names[level],
                                 outer / inner);
        outer = inner;
    }
    snprintf(text + used, sizeof(text) - used, "core:%" PRIu32, outer);
    smap_hierarchy_parse(inside, text, NULL);
}

static bool all_differ(const struct place places[], uint32_t count, uint32_t n)
{
    for (uint32_t i = 0; i < count; i++)
        if (places[i].seat.cpu < 0 ||
            ((i + 1) % n != 0 && places[i].seat.cpu == places[i + 1].seat.cpu))
            return false;
    return true;
}

bool bench_seats_sort(uint32_t leaf[], struct smap_hierarchy *inside,
                      const struct bench_seat seats[], uint32_t count, uint32_t n)
{
    struct place *places = calloc(count + 1, sizeof(*places));
    bool bound = places != NULL;
    for (uint32_t i = 0; bound && i < count; i++)
        places[i] = (struct place){seats[i], i};
    for (uint32_t first = 0; bound && first < count; first += n)
        qsort(places + first, n, sizeof(*places), compare_places);
    bound = bound && all_differ(places, count, n);
    for (uint32_t i = 0; i < count; i++)
        leaf[bound ? places[i].process : i] = i;
    if (bound) {
        find_levels(inside, places, count, n);
    } else {
        char text[32];
        snprintf(text, sizeof(text), "core:%" PRIu32, n);
        smap_hierarchy_parse(inside, text, NULL);
    }
    free(places);
    return bound;
}
