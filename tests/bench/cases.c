/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX 600

/* 56 and 40 tasks in turn, 50 nodes. */
#define IN_TURN                                                                                    \
    "56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,"               \
    "56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40,56,40"

static const struct bench_case fixed[] = {
    {GROUP_NAMED, "50x48", "48(x50)", "nn", "", 1368, 1204, NONE},
    {GROUP_NAMED, "50x48", "48(x50)", "hops", "", 3216, 2868, NONE},
    {GROUP_NAMED, "50x48", "48(x50)", "component", "", NONE, 96, NONE},
    {GROUP_NAMED, "75x64", "48(x100)", "nn", "", 2826, 2538, NONE},
    {GROUP_NAMED, "75x64", "48(x100)", "hops", "", 6660, 6120, NONE},
    {GROUP_NAMED, "75x64", "48(x100)", "component", "", NONE, 192, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "nn", "", NONE, 1504, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "moore", "", NONE, 9268, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "component", "", NONE, 480, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "hops-last", "", NONE, 1792, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "diagonal", "", NONE, 1660, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "hops", "", NONE, 2552, NONE},
    {GROUP_NAMED, "12x11x8", "32(x33)", "crank-nicolson", "", NONE, 2755, NONE},
    {GROUP_NAMED, "4x4", "4(x4)", "nn", "", NONE, 16, NONE},
    {GROUP_NAMED, "4x4", "7,5,4", "nn", "", NONE, 14, NONE},
    {GROUP_NAMED, "3x5", "5(x3)", "nn", "", NONE, 16, NONE},
    {GROUP_NAMED, "2x8", "4(x4)", "nn", "", NONE, 12, NONE},
    {GROUP_NAMED, "4x6", "8(x3)", "nn", "", NONE, 16, NONE},
    {GROUP_NAMED, "4x6", "4(x6)", "nn", "", NONE, 28, NONE},
    {GROUP_NAMED, "6x6", "12(x3)", "nn", "", NONE, 20, NONE},
    {GROUP_NAMED, "6x6", "9(x4)", "nn", "", NONE, 24, NONE},
    {GROUP_NAMED, "5x5", "9,8,8", "nn", "", NONE, 18, NONE},
    {GROUP_NAMED, "6x4", "8(x3)", "hops", "", NONE, 40, NONE},
    {GROUP_NAMED, "4x4", "4(x4)", "nn", "1,1", NONE, 32, NONE},
    {GROUP_NAMED, "2x4", "4(x2)", "nn", "1,1", NONE, 8, NONE},
    {GROUP_NAMED, "1x13", "5,4,4", "nn", "", NONE, 4, NONE},
    {GROUP_NAMED, "50x48", IN_TURN, "nn", "", NONE, 1236, NONE},
    {GROUP_OTHER, "50x48", "48(x50)", "nn", "1,1", NONE, NONE, NONE},
    {GROUP_OTHER, "50x48", "48(x50)", "hops", "1,0", NONE, NONE, NONE},
    {GROUP_OTHER, "12x11x8", "32(x33)", "nn", "1,1,1", NONE, NONE, NONE},
    {GROUP_OTHER, "50x48", "64(x37),32", "nn", "", NONE, NONE, NONE},
    {GROUP_OTHER, "50x48", "64(x20),56(x20)", "hops", "", NONE, NONE, NONE},
    {GROUP_OTHER, "12x11x8", "40(x20),16(x16)", "nn", "", NONE, NONE, NONE},
    {GROUP_OTHER, "53x47", "47(x53)", "nn", "", NONE, NONE, NONE},
    {GROUP_OTHER, "2503", "64(x39),7", "nn", "1", NONE, NONE, NONE},
    {GROUP_OTHER, "6x5x4x4", "16(x30)", "nn", "", NONE, NONE, NONE},
    {GROUP_OTHER, "3x2x3x2x3x2x2x3", "48(x27)", "nn", "", NONE, NONE, NONE},
    {GROUP_SCALE, "40x25", "125(x8)", "nn", "", NONE, NONE, NONE},
    {GROUP_SCALE, "100x100", "125(x80)", "nn", "", NONE, NONE, NONE},
    {GROUP_SCALE, "400x250", "125(x800)", "nn", "", NONE, NONE, NONE},
    {GROUP_SCALE, "1000x1000", "125(x8000)", "nn", "", NONE, NONE, NONE},
    {GROUP_SCALE, "4000x2500", "125(x80000)", "nn", "", NONE, NONE, NONE},
};

const char *bench_group(enum group group)
{
    static const char *const names[] = {"table", "named", "other", "scale"};
    return names[group];
}

static bool read_row(const char *line, struct bench_case *c)
{
    unsigned nodes, n;
    *c = (struct bench_case){.group = GROUP_TABLE, .lower = NONE};
    if (sscanf(line, "%u,%u,%31[^,],%31[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64, &nodes, &n, c->dims,
               c->stencil, &c->viem, &c->known, &c->lower) < 6)
        return false;
    snprintf(c->sizes, sizeof(c->sizes), "%u(x%u)", n, nodes);
    return true;
}

struct bench_case *bench_cases(size_t *count)
{
    static const char path[] = STENCILMAP_TEST_DATA "/best-mappings.csv";
    char line[256];
    struct bench_case *list = calloc(CASES_MAX, sizeof(*list));
    FILE *file = fopen(path, "r");
    *count = 0;
    if (!list || !file || !fgets(line, sizeof(line), file)) {
        perror(path);
        free(list);
        if (file)
            fclose(file);
        return NULL;
    }
    size_t fixed_count = sizeof(fixed) / sizeof(fixed[0]);
    while (*count < CASES_MAX - fixed_count && fgets(line, sizeof(line), file))
        if (read_row(line, &list[*count]))
            ++*count;
    fclose(file);
    memcpy(list + *count, fixed, sizeof(fixed));
    *count += fixed_count;
    return list;
}
