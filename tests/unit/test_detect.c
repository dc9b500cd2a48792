/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids found again in records of synthetic codes, undisturbed and disturbed. */
#include "unit_detect.h"

struct code {
    const char *dims, *periodic, *stencil;
    uint64_t unit;
};

/* As real ones are: x fastest or slowest, faces of one size or not, all directions or some. */
static const struct code codes[] = {
    {"4x8", "0,0", "5pt", 1000},
    {"8x4", "0,0", "1,0*2;-1,0*2;0,1;0,-1", 1000},
    {"6x4", "1,0", "5pt", 77},
    {"2x4x4", "0,0,0", "7pt", 65536},
    {"2x4x4", "0,0,0", "27pt*118,9,1", 14064},
    {"2x4x4", "0,0,0", "27pt*32,1,0", 4096},
    {"4x4x4", "0,0,0", "27pt*113,9,1", 728},
    {"4x4x2", "1,1,1", "27pt*137,11,1", 4144},
    {"4x3x2", "1,1,1", "27pt*576,24,1", 704},
    {"6x5x7", "0,0,0", "27pt*64,8,1", 800},
    {"3x4x4x2", "1,1,1,1", "nn", 9216},
    {"16x12", "1,1", "9pt*20,1", 640},
    {"32x30", "0,0", "5pt", 8192},
    {"24x20", "0,0", "hops", 300},
    {"10x9x8", "1,1,0", "7pt", 5000},
    {"12x10x9", "0,0,0", "27pt*64,8,1", 512},
};

static void known_init(struct known *known, const struct code *code)
{
    uint32_t dims[SMAP_DIMS_MAX];
    bool column, periodic[SMAP_DIMS_MAX];
    size_t ndims, count;
    assert_int_equal(smap_dims_parse(dims, &ndims, &column, code->dims, NULL), SMAP_OK);
    assert_int_equal(smap_periodic_parse(periodic, &count, code->periodic, NULL), SMAP_OK);
    assert_int_equal(smap_grid_init(&known->grid, ndims, dims, periodic, NULL), SMAP_OK);
    assert_int_equal(smap_stencil_parse(&known->stencil, code->stencil, ndims, NULL), SMAP_OK);
}

/* What is added to the exchange. */
enum disturbance { NOTHING, RANDOM_5, RANDOM_20, TO_ZERO, FIRST, LAST, STRIDED, DISTURBANCES };
static const char *const disturbances[] = {"nothing",       "5 % random",  "20 % random",
                                           "all to rank 0", "4 I/O first", "4 I/O last",
                                           "4 I/O strided"};

static void disturb(struct smap_record *record, const struct known *known, enum disturbance how,
                    uint64_t unit, uint64_t seed)
{
    uint64_t random = smap_random_state(seed);
    uint32_t cells = known->grid.cells, servers = how >= FIRST ? 4 : 0, server[4];
    uint32_t *rank = malloc(cells * sizeof(*rank));
    assert_non_null(rank);
    for (uint32_t c = 0; c < cells; c++)
        rank[c] = c;
    if (servers)
        traffic_place(rank, server, cells, servers, (enum traffic_servers)(how - FIRST));
    assert_int_equal(smap_record_init(record, cells + servers, NULL), SMAP_OK);
    traffic_of_grid(record, &known->grid, known->stencil, rank, 20, unit);
    if (how == RANDOM_5 || how == RANDOM_20)
        traffic_at_random(record, record->edges / (how == RANDOM_5 ? 20 : 5), &random);
    if (how == TO_ZERO)
        traffic_to_zero(record, 4096);
    if (servers)
        traffic_to_servers(record, rank, server, cells, servers, seed % 2);
    assert_int_equal(smap_record_finish(record, NULL), SMAP_OK);
    free(rank);
}

static void finds_disturbed_codes(void **state)
{
    (void)state;
    size_t wrong = 0, of = 0;
    for (int how = 0; how < DISTURBANCES; how++) {
        size_t right = 0, tries = 0;
        for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++) {
            for (uint64_t seed = 1; seed <= (how == NOTHING || how == TO_ZERO ? 1 : 2); seed++) {
                struct known known;
                struct smap_record record;
                struct smap_detection d;
                struct smap_error err = {""};
                known_init(&known, &codes[c]);
                disturb(&record, &known, (enum disturbance)how, codes[c].unit, seed);
                if (smap_detect(&d, &record, &err) != SMAP_OK)
                    fail_msg("%s", err.text);
                bool good = d.count > 0 && is_right(&d, &known);
                right += good;
                tries++;
                if (!good) {
                    char *dims = d.count ? smap_finding_dims(&d.finding[0]) : NULL;
                    char *ranks = d.count ? smap_finding_ranks(&d.finding[0], record.ranks) : NULL;
                    print_message("%s %s, %s, seed %" PRIu64 ": %s %s, %zu parts\n", codes[c].dims,
                                  codes[c].stencil, disturbances[how], seed, dims ? dims : "none",
                                  ranks ? ranks : "", d.parts);
                    free(dims);
                    free(ranks);
                }
                for (size_t i = 0; i < d.parts; i++)
                    check_line(&d.finding[i], &record);
                smap_detection_clear(&d);
                smap_record_clear(&record);
                smap_stencil_destroy(known.stencil);
            }
        }
        print_message("%-15s %zu of %zu\n", disturbances[how], right, tries);
        wrong += tries - right;
        of += tries;
    }
    if (wrong > 0)
        fail_msg("%zu of %zu are wrong", wrong, of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_disturbed_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
