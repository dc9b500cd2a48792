/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables, word for word in their three forms. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"

static void assert_form(const struct smap_table *table, enum smap_table_format format,
                        const char *wanted)
{
    struct smap_text text = {0};
    for (size_t row = 0; row <= smap_table_rows(table); row++)
        smap_table_line(&text, table, format, row);
    char *got = smap_text_take(&text);
    assert_string_equal(got, wanted);
    free(got);
}

static struct smap_table *example(void)
{
    static const char *const columns[] = {"name", "count", "cpus", NULL};
    struct smap_table *table = smap_table_create(columns);
    smap_table_text_column(table, "cpus");
    smap_table_add(table, "a");
    smap_table_add(table, "%d", 7);
    smap_table_add(table, "10");
    smap_table_add(table, "b,\"c\"\n");
    smap_table_add(table, "%.2f", 1234.5);
    smap_table_add(table, "%s", "");
    return table;
}

static void test_forms(void **state)
{
    (void)state;
    struct smap_table *table = example();
    assert_true(smap_table_complete(table));
    assert_int_equal(smap_table_rows(table), 2);
    assert_form(table, SMAP_TABLE_CSV, "name,count,cpus\na,7,10\n\"b,\"\"c\"\"\n\",1234.50,\n");
    assert_form(table, SMAP_TABLE_JSON,
                "[\n  {\n    \"name\": \"a\",\n    \"count\": 7,\n    \"cpus\": \"10\"\n  },\n"
                "  {\n    \"name\": \"b,\\\"c\\\"\\u000a\",\n    \"count\": 1234.50,\n"
                "    \"cpus\": null\n  }\n]\n");
    assert_form(table, SMAP_TABLE_ALIGNED,
                "name      count  cpus\na             7  10\nb,\"c\"\n  1234.50  \n");
    smap_table_destroy(table);
}

static void test_empty(void **state)
{
    static const char *const columns[] = {"only", NULL};
    (void)state;
    struct smap_table *table = smap_table_create(columns);
    assert_true(smap_table_complete(table));
    assert_form(table, SMAP_TABLE_CSV, "only\n");
    assert_form(table, SMAP_TABLE_JSON, "[]\n");
    assert_form(table, SMAP_TABLE_ALIGNED, "only\n");
    smap_table_destroy(table);
}

/* What JSON takes for a number, and what would be a mistake there. */
static void test_numbers(void **state)
{
    static const struct {
        const char *cell, *json;
    } cases[] = {
        {"0", "0"},
        {"10", "10"},
        {"0.5", "0.5"},
        {"18446744073709551615", "18446744073709551615"},
        {"007", "\"007\""},
        {"1.", "\"1.\""},
        {".5", "\".5\""},
        {"1.2.3", "\"1.2.3\""},
        {"1x", "\"1x\""},
        {"00.5", "\"00.5\""},
        {"a\\b", "\"a\\\\b\""},
        {"", "null"},
        {"\xc3\xa4\x01", "\"\xc3\xa4\\u0001\""},
    };
    static const char *const columns[] = {"c", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_table *table = smap_table_create(columns);
        struct smap_text wanted = {0};
        smap_table_add(table, "%s", cases[i].cell);
        smap_text_add(&wanted, "[\n  {\n    \"c\": %s\n  }\n]\n", cases[i].json);
        char *text = smap_text_take(&wanted);
        assert_form(table, SMAP_TABLE_JSON, text);
        free(text);
        smap_table_destroy(table);
    }
}

static void test_incomplete(void **state)
{
    (void)state;
    struct smap_table *table = example();
    smap_table_add(table, "a row that is not full");
    assert_false(smap_table_complete(table));
    assert_int_equal(smap_table_rows(table), 0);
    smap_table_destroy(table);
    assert_false(smap_table_complete(NULL));
    smap_table_add(NULL, "nothing");
    smap_table_text_column(NULL, "nothing");
    smap_table_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
