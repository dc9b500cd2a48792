/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils: every name against its definition, offsets with weights, refusals, round trips. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "grid/stencil.h"

#define NEITHER "neither a stencil name (see --stencil=help) nor offsets like 1,0;-1,0;0,1*4;0,-1*4"

/* What the names mean, said of one offset x of d components. */
struct shape {
    int sum;      /* of |x_i| */
    int max;      /* of |x_i| */
    int min;      /* of |x_i| */
    int but_last; /* sum of |x_i| over all dimensions but the last */
    int first, last;
};

static bool is_nn(const struct shape *s)
{
    return s->sum == 1;
}

static bool is_moore(const struct shape *s)
{
    return s->max == 1;
}

static bool is_component(const struct shape *s)
{
    return s->sum == 1 && s->last == 0;
}

static bool is_diagonal(const struct shape *s)
{
    return s->max == 1 && s->min == 1;
}

static bool is_hops(const struct shape *s)
{
    return s->sum == 1 || (abs(s->first) == s->sum && s->sum >= 2 && s->sum <= 3);
}

static bool is_hops_last(const struct shape *s)
{
    return s->sum == 1 || (abs(s->last) == s->sum && s->sum >= 2 && s->sum <= 3);
}

static bool is_crank_nicolson(const struct shape *s)
{
    return (s->but_last == 1 && (s->last == 0 || s->last == 1)) ||
           (s->but_last == 0 && s->last == 1);
}

static struct shape shape_of(const int32_t x[], size_t d)
{
    struct shape s = {.min = INT32_MAX, .first = x[0], .last = x[d - 1]};
    for (size_t i = 0; i < d; i++) {
        int size = abs(x[i]);
        s.sum += size;
        s.max = size > s.max ? size : s.max;
        s.min = size < s.min ? size : s.min;
        s.but_last += i + 1 < d ? size : 0;
    }
    return s;
}

static size_t occurrences(const struct smap_stencil *s, const int32_t offset[])
{
    size_t n = 0;
    for (size_t r = 0; r < s->count; r++)
        n += memcmp(smap_stencil_offset(s, r), offset, s->ndims * sizeof(*offset)) == 0;
    return n;
}

static struct smap_stencil *parse(const char *text, size_t ndims)
{
    struct smap_error err = {""};
    struct smap_stencil *s = NULL;
    if (smap_stencil_parse(&s, text, ndims, &err) != SMAP_OK)
        fail_msg("'%s' in %zu-D: %s", text, ndims, err.text);
    return s;
}

/* counts[d - 1]; 0: refused in d dimensions. */
static const struct {
    const char *name;
    bool (*is_in)(const struct shape *s);
    size_t counts[4];
    bool symmetric;
} names[] = {
    {"nn", is_nn, {2, 4, 6, 8}, true},
    {"5pt", is_nn, {0, 4, 0, 0}, true},
    {"7pt", is_nn, {0, 0, 6, 0}, true},
    {"moore", is_moore, {2, 8, 26, 80}, true},
    {"9pt", is_moore, {0, 8, 0, 0}, true},
    {"27pt", is_moore, {0, 0, 26, 0}, true},
    {"component", is_component, {0, 2, 4, 6}, true},
    {"diagonal", is_diagonal, {2, 4, 8, 16}, true},
    {"crank-nicolson", is_crank_nicolson, {1, 5, 9, 13}, false},
    {"hops", is_hops, {6, 8, 10, 12}, true},
    {"hops-last", is_hops_last, {6, 8, 10, 12}, true},
};

/* Every offset of [-3, 3]^d is in the stencil once if the definition says so, else not at all. */
static void check_name(size_t n, size_t d)
{
    struct smap_stencil *s = parse(names[n].name, d);
    int32_t x[4] = {-3, -3, -3, -3};
    assert_int_equal(s->ndims, d);
    assert_int_equal(s->count, names[n].counts[d - 1]);
    assert_int_equal(smap_stencil_weight(s), s->count);
    for (size_t i = 0; i < d;) {
        struct shape shape = shape_of(x, d);
        if (occurrences(s, x) != (names[n].is_in(&shape) ? 1 : 0))
            fail_msg("%s in %zu-D: %zu times %d,%d,%d,%d", names[n].name, d, occurrences(s, x),
                     x[0], x[1], x[2], x[3]);
        for (i = 0; i < d && ++x[i] > 3; i++)
            x[i] = -3;
    }
    for (size_t r = 0; names[n].symmetric && r < s->count; r++) {
        int32_t back[4];
        for (size_t i = 0; i < d; i++)
            back[i] = -smap_stencil_offset(s, r)[i];
        assert_int_equal(occurrences(s, back), 1);
    }
    smap_stencil_destroy(s);
}

static void test_names(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        for (size_t d = 1; d <= 4; d++) {
            if (names[n].counts[d - 1]) {
                check_name(n, d);
                continue;
            }
            struct smap_error err = {""};
            struct smap_stencil *s = NULL;
            char want[128];
            if (strcmp(names[n].name, "component") == 0)
                snprintf(want, sizeof(want), "has no offset in 1 dimension");
            else
                snprintf(want, sizeof(want), "is for %d dimensions, the grid has %zu",
                         names[n].counts[1] ? 2 : 3, d);
            assert_int_equal(smap_stencil_parse(&s, names[n].name, d, &err), SMAP_EINVAL);
            assert_string_equal(err.text, want);
            assert_null(s);
        }
    }
}

/* The list for --stencil=help names all of them, and each is read. */
static void test_list(void **state)
{
    const char *name, *summary;
    size_t n = 0;
    (void)state;
    for (; smap_stencil_name(&name, &summary, n); n++) {
        assert_true(n < sizeof(names) / sizeof(names[0]));
        assert_string_equal(name, names[n].name);
        assert_true(strlen(summary) > 0);
    }
    assert_int_equal(n, sizeof(names) / sizeof(names[0]));
}

/* Nobody has said how many dimensions: the name or the offsets decide, else 2. */
static void test_implied_dimensions(void **state)
{
    static const struct {
        const char *text;
        size_t ndims;
    } cases[] = {
        {"nn", 2},   {"5pt", 2},       {"7pt", 3}, {"moore", 2}, {"9pt", 2}, {"27pt", 3},
        {"hops", 2}, {"component", 2}, {"1", 1},   {"1,0,0", 3}, {"1,2", 2}, {"diagonal", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_stencil *s = parse(cases[i].text, 0);
        assert_int_equal(s->ndims, cases[i].ndims);
        smap_stencil_destroy(s);
    }
}

static void test_offsets(void **state)
{
    static const struct {
        const char *text, *canonical;
        size_t ndims, count;
        uint64_t weight;
    } cases[] = {
        {"1,0;-1,0;0,1*4;0,-1*4", "1,0;-1,0;0,1*4;0,-1*4", 2, 4, 10},
        {"1", "1", 1, 1, 1},
        {"-1*7", "-1*7", 1, 1, 7},
        {"+1,-0", "1,0", 2, 1, 1},
        {"1,0;", "1,0", 2, 1, 1},          /* a closing semicolon */
        {"1,0;1,0", "1,0;1,0", 2, 2, 2},   /* twice is twice */
        {"0,0;1,0;0,0*9", "1,0", 2, 1, 1}, /* the cell itself is no neighbour */
        {"1,0*1", "1,0", 2, 1, 1},
        {"01,00*007", "1,0*7", 2, 1, 7},
        {"1000000,-1000000*1000000", "1000000,-1000000*1000000", 2, 1, 1000000},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", 16, 1,
         1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int given = 0; given < 2; given++) {
            struct smap_stencil *s = parse(cases[i].text, given ? cases[i].ndims : 0);
            char *text = smap_stencil_format(s);
            assert_string_equal(text, cases[i].canonical);
            assert_int_equal(s->ndims, cases[i].ndims);
            assert_int_equal(s->count, cases[i].count);
            assert_int_equal(smap_stencil_weight(s), cases[i].weight);
            free(text);
            smap_stencil_destroy(s);
        }
    }
}

static void test_refusals(void **state)
{
    static const struct {
        const char *text;
        size_t ndims;
        const char *error;
    } cases[] = {
        {"", 0, NEITHER},
        {"", 2, NEITHER},
        {"magic", 0, NEITHER},
        {"NN", 0, NEITHER},
        {"nn ", 0, NEITHER},
        {" nn", 0, NEITHER},
        {"5pt;", 0, NEITHER},
        {";", 0, NEITHER},
        {"1,0;;0,1", 0, NEITHER},
        {"1,", 0, NEITHER},
        {",1", 0, NEITHER},
        {"1,0*", 0, NEITHER},
        {"1,0*-", 0, NEITHER},
        {"1,0*1.5", 0, NEITHER},
        {"1,0*0", 0, "weight 0 is not 1 to 1000000"},
        {"0,-1*3;1,0*00;0,1", 0, "weight 00 is not 1 to 1000000"},
        {"1,0*-1", 0, "weight -1 is not 1 to 1000000"},
        {"1,0*1000001", 0, "weight 1000001 is not 1 to 1000000"},
        {"1,0*99999999999999999999", 0, "weight 99999999999999999999 is not 1 to 1000000"},
        {"1,0*0000000000000000000000000000", 0,
         "weight 000000000000000000000000 is not 1 to 1000000"},
        {"1000001,0", 0, NEITHER},
        {"-1000001,0", 0, NEITHER},
        {"99999999999999999999,0", 0, NEITHER},
        {"1, 0", 0, NEITHER},
        {"1,0x", 0, NEITHER},
        {"1,0;0,1*2*3", 0, NEITHER},
        {"1,0:0,1", 0, NEITHER},
        {"1.5,0", 0, NEITHER},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", 0, NEITHER},
        {"1,0x", 3, NEITHER},
        {"1,0;1", 0, "an offset has 1 components, the grid has 2"},
        {"1,0;0,1,0", 2, "an offset has 3 components, the grid has 2"},
        {"1,0", 3, "an offset has 2 components, the grid has 3"},
        {"0,0", 2, "no offset but the cell itself"},
        {"0,0;0,0*5", 0, "no offset but the cell itself"},
        {"moore", 11, "more than 65536 offsets"}, /* 3^11 - 1 */
        {"moore", 16, "more than 65536 offsets"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_stencil *s = NULL;
        if (smap_stencil_parse(&s, cases[i].text, cases[i].ndims, &err) != SMAP_EINVAL || s)
            fail_msg("'%s' in %zu-D was taken", cases[i].text, cases[i].ndims);
        assert_string_equal(err.text, cases[i].error);
    }
    smap_stencil_destroy(NULL);
}

static void test_high_dimensions(void **state)
{
    struct smap_stencil *s = parse("moore", 10);
    (void)state;
    assert_int_equal(s->count, 59048);
    smap_stencil_destroy(s);
    s = parse("diagonal", 16);
    assert_int_equal(s->count, SMAP_OFFSETS_MAX);
    smap_stencil_destroy(s);
    s = parse("nn", 16);
    assert_int_equal(s->count, 32);
    smap_stencil_destroy(s);
}

static void test_create(void **state)
{
    static int32_t many[SMAP_OFFSETS_MAX + 1];
    static uint32_t heavy[SMAP_OFFSETS_MAX];
    struct smap_error err = {""};
    struct smap_stencil *s = NULL;
    (void)state;
    assert_int_equal(smap_stencil_create(&s, 2, 3, (const int32_t[]){1, 0, 0, 0, 0, -2},
                                         (const uint32_t[]){3, 4, 5}, &err),
                     SMAP_OK);
    char *text = smap_stencil_format(s);
    assert_string_equal(text, "1,0*3;0,-2*5");
    free(text);
    smap_stencil_destroy(s);
    s = NULL;
    assert_int_equal(smap_stencil_create(&s, 0, 1, many, NULL, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "0 dimensions, the limit is 1 to 16");
    assert_int_equal(smap_stencil_create(&s, 17, 1, many, NULL, &err), SMAP_EINVAL);
    assert_int_equal(smap_stencil_create(&s, 1, 1, (const int32_t[]){1000001}, NULL, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "offset component 1000001 is beyond 1000000");
    assert_int_equal(smap_stencil_create(&s, 1, 1, (const int32_t[]){INT32_MIN}, NULL, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "offset component -2147483648 is beyond 1000000");
    assert_int_equal(
        smap_stencil_create(&s, 1, 1, (const int32_t[]){1}, (const uint32_t[]){0}, &err),
        SMAP_EINVAL);
    assert_string_equal(err.text, "weight 0 is not 1 to 1000000");
    assert_int_equal(
        smap_stencil_create(&s, 1, 1, (const int32_t[]){1}, (const uint32_t[]){1000001}, &err),
        SMAP_EINVAL);
    /* All the room there is, and one more; the heaviest, and one more. */
    for (size_t i = 0; i <= SMAP_OFFSETS_MAX; i++)
        many[i] = 1;
    for (size_t i = 0; i < SMAP_OFFSETS_MAX; i++)
        heavy[i] = SMAP_WEIGHT_MAX;
    assert_int_equal(smap_stencil_create(&s, 1, SMAP_OFFSETS_MAX + 1, many, NULL, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "more than 65536 offsets");
    assert_null(s);
    assert_int_equal(smap_stencil_create(&s, 1, SMAP_OFFSETS_MAX, many, NULL, &err), SMAP_OK);
    smap_stencil_destroy(s);
    s = NULL;
    heavy[2147] = 483647;
    assert_int_equal(smap_stencil_create(&s, 1, 2148, many, heavy, &err), SMAP_OK);
    assert_int_equal(smap_stencil_weight(s), INT32_MAX);
    smap_stencil_destroy(s);
    s = NULL;
    heavy[2147]++;
    assert_int_equal(smap_stencil_create(&s, 1, 2148, many, heavy, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "the weights add up to more than 2147483647");
    assert_null(s);
}

/* What is written is read again, weights, duplicates and order included. */
static void test_round_trip(void **state)
{
    uint64_t seed = 606;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        int32_t offsets[40 * 5];
        uint32_t weights[40];
        size_t d = unit_between(&seed, 1, 5), k = unit_between(&seed, 1, 40);
        int32_t reach = round % 3 ? 2 : SMAP_OFFSET_MAX;
        for (size_t i = 0; i < k * d; i++)
            offsets[i] = (int32_t)unit_between(&seed, 0, 2 * (uint32_t)reach) - reach;
        for (size_t i = 0; i < k; i++) {
            weights[i] = unit_between(&seed, 1, round % 2 ? 2 : 50000);
            offsets[i * d] += offsets[i * d] == 0; /* not the cell itself */
        }
        struct smap_stencil *s = NULL;
        assert_int_equal(smap_stencil_create(&s, d, k, offsets, weights, NULL), SMAP_OK);
        assert_int_equal(s->count, k);
        char *text = smap_stencil_format(s);
        struct smap_stencil *again = parse(text, round % 2 ? d : 0);
        assert_int_equal(again->ndims, d);
        assert_int_equal(again->count, k);
        assert_memory_equal(again->offsets, offsets, k * d * sizeof(*offsets));
        assert_memory_equal(again->weights, weights, k * sizeof(*weights));
        free(text);
        smap_stencil_destroy(again);
        smap_stencil_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),    cmocka_unit_test(test_list),
        cmocka_unit_test(test_offsets),  cmocka_unit_test(test_implied_dimensions),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_high_dimensions),
        cmocka_unit_test(test_create),   cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
