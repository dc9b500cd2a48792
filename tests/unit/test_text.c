/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers out of option values, and the growing string. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

#define UNTOUCHED 12345

/* length 0: refused, else how far the cursor moves. */
static void test_scan_uint(void **state)
{
    static const struct {
        const char *text;
        uint64_t max;
        size_t length;
        uint64_t value;
    } cases[] = {
        {"0", UINT64_MAX, 1, 0},
        {"0", 0, 1, 0},
        {"1", 0, 0, 0},
        {"7x", 9, 1, 7},
        {"12 ", 99, 2, 12},
        {"255", 255, 3, 255},
        {"256", 255, 0, 0},
        {"0000255", 255, 7, 255},
        {"0000256", 255, 0, 0},
        {"4294967295", UINT32_MAX, 10, UINT32_MAX},
        {"4294967296", UINT32_MAX, 0, 0},
        {"18446744073709551615", UINT64_MAX, 20, UINT64_MAX},
        {"18446744073709551616", UINT64_MAX, 0, 0}, /* the addition overflows */
        {"18446744073709551620", UINT64_MAX, 0, 0}, /* the multiplication does */
        {"99999999999999999999999999", UINT64_MAX, 0, 0},
        {"184467440737095516150", UINT64_MAX, 0, 0},
        {"", UINT64_MAX, 0, 0},
        {" 1", UINT64_MAX, 0, 0},
        {"\t1", UINT64_MAX, 0, 0},
        {"+1", UINT64_MAX, 0, 0},
        {"-1", UINT64_MAX, 0, 0},
        {"x1", UINT64_MAX, 0, 0},
        {"/", UINT64_MAX, 0, 0}, /* the characters around '0' and '9' */
        {":", UINT64_MAX, 0, 0},
        {"9:", UINT64_MAX, 1, 9},
        {"0/", UINT64_MAX, 1, 0},
        {"0x10", UINT64_MAX, 1, 0},
        {"1e3", UINT64_MAX, 1, 1},
        {"1.5", UINT64_MAX, 1, 1},
        {"\xb2", UINT64_MAX, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *cursor = cases[i].text;
        uint64_t value = UNTOUCHED;
        bool ok = smap_scan_uint(&cursor, cases[i].max, &value);
        size_t moved = (size_t)(cursor - cases[i].text);
        if (ok != (cases[i].length > 0) || moved != cases[i].length ||
            value != (ok ? cases[i].value : UNTOUCHED))
            fail_msg("'%s' up to %" PRIu64 ": %s, moved %zu, %" PRIu64, cases[i].text, cases[i].max,
                     ok ? "true" : "false", moved, value);
    }
}

static void test_scan_int(void **state)
{
    static const struct {
        const char *text;
        int64_t max;
        size_t length;
        int64_t value;
    } cases[] = {
        {"0", 0, 1, 0},
        {"-0", 0, 2, 0},
        {"+0", 0, 2, 0},
        {"5", 5, 1, 5},
        {"+5", 5, 2, 5},
        {"-5", 5, 2, -5},
        {"6", 5, 0, 0},
        {"-6", 5, 0, 0},
        {"1000000", 1000000, 7, 1000000},
        {"-1000001", 1000000, 0, 0},
        {"9223372036854775807", INT64_MAX, 19, INT64_MAX},
        {"-9223372036854775807", INT64_MAX, 20, -INT64_MAX},
        {"9223372036854775808", INT64_MAX, 0, 0},
        {"-9223372036854775808", INT64_MAX, 0, 0},
        {"-1,2", 9, 2, -1},
        {"1-2", 9, 1, 1},
        {"", 9, 0, 0},
        {"-", 9, 0, 0},
        {"+", 9, 0, 0},
        {"--1", 9, 0, 0},
        {"+-1", 9, 0, 0},
        {"- 1", 9, 0, 0},
        {" 1", 9, 0, 0},
        {"a", 9, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *cursor = cases[i].text;
        int64_t value = UNTOUCHED;
        bool ok = smap_scan_int(&cursor, cases[i].max, &value);
        size_t moved = (size_t)(cursor - cases[i].text);
        if (ok != (cases[i].length > 0) || moved != cases[i].length ||
            value != (ok ? cases[i].value : UNTOUCHED))
            fail_msg("'%s' up to %" PRId64 ": %s, moved %zu, %" PRId64, cases[i].text, cases[i].max,
                     ok ? "true" : "false", moved, value);
    }
}

/* Numbers of every length around limits of every length. */
static void test_scan_limits(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        uint64_t number = smap_random(&seed) >> unit_between(&seed, 0, 63);
        uint64_t max = number - 1 + unit_between(&seed, 0, 2), value = 0;
        char text[32];
        if ((number == 0 && max == UINT64_MAX) || (number == UINT64_MAX && max == 0))
            continue; /* wrapped around */
        int length = snprintf(text, sizeof(text), "%" PRIu64, number);
        const char *cursor = text;
        assert_int_equal(smap_scan_uint(&cursor, max, &value), number <= max);
        assert_int_equal(cursor - text, number <= max ? length : 0);
        assert_true(value == (number <= max ? number : 0));
    }
}

static void test_scan_char(void **state)
{
    const char *text = "a,,", *cursor = text;
    (void)state;
    assert_false(smap_scan_char(&cursor, ','));
    assert_ptr_equal(cursor, text);
    assert_true(smap_scan_char(&cursor, 'a'));
    assert_true(smap_scan_char(&cursor, ','));
    assert_true(smap_scan_char(&cursor, ','));
    assert_ptr_equal(cursor, text + 3);
    assert_false(smap_scan_char(&cursor, ','));
    assert_false(smap_scan_char(&cursor, '\0')); /* never behind the end */
    assert_ptr_equal(cursor, text + 3);
}

/* Two pieces of all lengths around the sizes at which the string grows. */
static void test_text_pieces(void **state)
{
    char piece[300];
    (void)state;
    memset(piece, 'p', sizeof(piece));
    for (int first = 0; first < 300; first++) {
        for (int second = 0; second < 300; second += 1 + second / 3) {
            struct smap_text text = {0};
            smap_text_add(&text, "%.*s", first, piece);
            smap_text_add(&text, "%.*s", second, piece);
            assert_int_equal(text.length, first + second);
            char *taken = smap_text_take(&text);
            assert_int_equal(strlen(taken), first + second);
            assert_int_equal(strspn(taken, "p"), first + second);
            free(taken);
        }
    }
}

static void test_text_grows(void **state)
{
    struct smap_text text = {0};
    (void)state;
    for (uint32_t i = 0; i < 200000; i++)
        smap_text_add(&text, "%c", (int)('a' + i % 26));
    assert_int_equal(text.length, 200000);
    char *taken = smap_text_take(&text);
    for (uint32_t i = 0; i < 200000; i++)
        assert_int_equal(taken[i], 'a' + i % 26);
    assert_int_equal(taken[200000], '\0');
    free(taken);
    assert_null(text.text); /* ready for the next one */
    assert_int_equal(text.length + text.capacity, 0);
}

static void test_text_untouched(void **state)
{
    struct smap_text text = {0};
    (void)state;
    char *taken = smap_text_take(&text);
    assert_string_equal(taken, "");
    free(taken);
    smap_text_add(&text, "%s", "");
    taken = smap_text_take(&text);
    assert_string_equal(taken, "");
    free(taken);
}

/* A failed append (here: no such character) makes the whole text fail, and releases it. */
static void test_text_failed(void **state)
{
    struct smap_text text = {0};
    (void)state;
    smap_text_add(&text, "%s", "before");
    smap_text_add(&text, "%lc", (wint_t)0x7fffffff);
    assert_true(text.failed);
    smap_text_add(&text, "%s", "behind");
    assert_null(smap_text_take(&text));
    assert_false(text.failed);
    assert_null(text.text);
}

static void test_lower(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"Best", "best"},
        {"50X48,COLUMN", "50x48,column"},
        {"az09@Z", "az09@z"},
        {"@File.Graph", "@File.Graph"},
        {"[\xc4`{", "[\xc4`{"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[32];
        snprintf(text, sizeof(text), "%s", cases[i][0]);
        smap_lower(text);
        assert_string_equal(text, cases[i][1]);
    }
}

static void test_list_length(void **state)
{
    static const struct {
        const char *list;
        size_t length;
    } cases[] = {{NULL, 0},      {"", 0},      {"0", 1},       {"0-3,8", 5},
                 {"0-127", 128}, {"3-1,7", 1}, {"0,1,x,2", 2}, {"0-", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(smap_list_length(cases[i].list), cases[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower),       cmocka_unit_test(test_list_length),
        cmocka_unit_test(test_scan_uint),   cmocka_unit_test(test_scan_int),
        cmocka_unit_test(test_scan_limits), cmocka_unit_test(test_scan_char),
        cmocka_unit_test(test_text_pieces), cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_text_failed), cmocka_unit_test(test_text_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
