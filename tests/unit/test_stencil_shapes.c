/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils with weights by shape. */
#include "unit.h"

#include "grid/stencil.h"

/* moore*64,8,1: an offset that differs in k dimensions has the k-th weight, none if that is 0. */
static void test_shapes(void **state)
{
    static const struct {
        const char *text;
        size_t ndims, count, weight;
        uint32_t weights[4];
    } cases[] = {
        {"moore*64,8,1", 3, 26, 6 * 64 + 12 * 8 + 8, {64, 8, 1}},
        {"27pt*64,8,1", 3, 26, 6 * 64 + 12 * 8 + 8, {64, 8, 1}},
        {"27pt*8,1,0", 3, 18, 6 * 8 + 12, {8, 1, 0}},
        {"9pt*8,1", 2, 8, 36, {8, 1}},
        {"moore*0,1", 2, 4, 4, {0, 1}},
        {"moore*5", 1, 2, 10, {5}},
        {"moore*4,3,2,1", 4, 80, 8 * 4 + 24 * 3 + 32 * 2 + 16, {4, 3, 2, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_stencil *s = NULL;
        if (smap_stencil_parse(&s, cases[i].text, i % 2 ? 0 : cases[i].ndims, &err) != SMAP_OK)
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_int_equal(s->ndims, cases[i].ndims);
        assert_int_equal(s->count, cases[i].count);
        assert_int_equal(smap_stencil_weight(s), cases[i].weight);
        for (size_t r = 0; r < s->count; r++) {
            const int32_t *offset = smap_stencil_offset(s, r);
            size_t differs = 0;
            for (size_t d = 0; d < s->ndims; d++) {
                assert_true(offset[d] >= -1 && offset[d] <= 1);
                differs += offset[d] != 0;
            }
            assert_int_equal(s->weights[r], cases[i].weights[differs - 1]);
            for (size_t q = 0; q < r; q++)
                assert_memory_not_equal(smap_stencil_offset(s, q), offset,
                                        s->ndims * sizeof(*offset));
        }
        smap_stencil_destroy(s);
    }
}

static void test_shape_refusals(void **state)
{
    static const struct {
        const char *text;
        size_t ndims;
        const char *want;
    } cases[] = {
        {"moore*", 2, "not weights of faces, edges, corners, 0 to 1000000, like moore*64,8,1"},
        {"moore*1000001,1", 2,
         "not weights of faces, edges, corners, 0 to 1000000, like moore*64,8,1"},
        {"moore*8,1x", 2, "not weights of faces, edges, corners like moore*64,8,1"},
        {"moore*0,0", 2, "all weights are 0"},
        {"moore*8,1", 3, "2 weights by shape for 3 dimensions"},
        {"27pt*8,1", 0, "2 weights by shape for 3 dimensions"},
        {"27pt*64,8,1", 2, "is for 3 dimensions, the grid has 2"},
        {"nn*4", 2,
         "weights by shape are for moore, 9pt and 27pt; others are offsets like 1,0*4;-1,0*4"},
        {"moore*1,1,1,1,1,1,1,1,1,1,1", 0, "more than 65536 offsets"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_stencil *s = NULL;
        assert_int_equal(smap_stencil_parse(&s, cases[i].text, cases[i].ndims, &err), SMAP_EINVAL);
        assert_string_equal(err.text, cases[i].want);
        assert_null(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_shape_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
