/* SPDX-License-Identifier: BSD-3-Clause */
/* One table, three ways to print it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

#ifdef STENCILMAP_HAVE_JANSSON
#include <jansson.h>
#endif

struct table {
    char **cells; /* row by row, the header first */
    size_t columns;
    size_t count;
    size_t capacity;
    uint64_t text; /* columns of text, as bits */
    bool failed;
};

static void add(struct table *t, char *cell)
{
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        char **grown = reallocarray(t->cells, capacity, sizeof(*grown));
        if (!grown) {
            t->failed = true;
            free(cell);
            return;
        }
        t->cells = grown;
        t->capacity = capacity;
    }
    t->failed = t->failed || !cell;
    t->cells[t->count++] = cell;
}

struct table *table_create(const char *const columns[])
{
    struct table *t = calloc(1, sizeof(*t));
    for (size_t i = 0; t && columns[i]; i++) {
        add(t, strdup(columns[i]));
        t->columns++;
    }
    return t;
}

void table_add(struct table *table, const char *format, ...)
{
    va_list args;
    char *cell = NULL;
    if (!table)
        return;
    va_start(args, format);
    if (vasprintf(&cell, format, args) < 0)
        cell = NULL;
    va_end(args);
    add(table, cell);
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
}

void table_text_column(struct table *table, const char *column)
{
    for (size_t i = 0; table && i < table->columns; i++)
        if (strcmp(table->cells[i], column) == 0)
            table->text |= UINT64_C(1) << i;
}

static bool is_number(const struct table *t, size_t column, const char *cell)
{
    return !(t->text >> column & 1) && *cell != '\0' && strspn(cell, "0123456789.") == strlen(cell);
}

static int print_aligned(const struct table *t, struct smap_error *err)
{
    size_t *widths = calloc(t->columns, sizeof(*widths));
    if (!widths)
        return smap_nomem(err);
    for (size_t at = 0; at < t->count; at++) {
        size_t length = strlen(t->cells[at]), *width = &widths[at % t->columns];
        *width = length > *width ? length : *width;
    }
    for (size_t at = 0; at < t->count; at++) {
        size_t column = at % t->columns, width = widths[column];
        /* Numbers to the right, words to the left; a header as its column. */
        const char *below = at < t->columns && t->count > t->columns + column
                                ? t->cells[t->columns + column]
                                : t->cells[at];
        bool last = column + 1 == t->columns;
        if (is_number(t, column, below))
            printf("%*s", (int)width, t->cells[at]);
        else
            printf("%-*s", last ? 0 : (int)width, t->cells[at]);
        fputs(last ? "\n" : "  ", stdout);
    }
    free(widths);
    return SMAP_OK;
}

static void print_csv(const struct table *t)
{
    for (size_t at = 0; at < t->count; at++) {
        const char *cell = t->cells[at];
        if (strpbrk(cell, ",\"\n")) {
            putchar('"');
            for (; *cell; cell++)
                printf(*cell == '"' ? "\"\"" : "%c", *cell);
            putchar('"');
        } else {
            fputs(cell, stdout);
        }
        putchar((at + 1) % t->columns ? ',' : '\n');
    }
}

#ifdef STENCILMAP_HAVE_JANSSON
static json_t *json_cell(const struct table *t, size_t column, const char *cell)
{
    if (*cell == '\0')
        return json_null();
    if (!is_number(t, column, cell))
        return json_string(cell);
    return strchr(cell, '.') ? json_real(strtod(cell, NULL))
                             : json_integer((json_int_t)strtoull(cell, NULL, 10));
}

static int print_json(const struct table *t, struct smap_error *err)
{
    json_t *list = json_array();
    for (size_t row = t->columns; row < t->count; row += t->columns) {
        json_t *object = json_object();
        for (size_t i = 0; i < t->columns; i++)
            json_object_set_new(object, t->cells[i], json_cell(t, i, t->cells[row + i]));
        json_array_append_new(list, object);
    }
    int rc = json_dumpf(list, stdout, JSON_INDENT(2)) == 0 ? SMAP_OK : smap_nomem(err);
    putchar('\n');
    json_decref(list);
    return rc;
}
#else
static int print_json(const struct table *t, struct smap_error *err)
{
    (void)t;
    return smap_fail(err, SMAP_ENOTSUP, "--format=json: built without jansson");
}
#endif

int table_print(const struct table *table, const char *format, struct smap_error *err)
{
    if (!table || table->failed)
        return smap_nomem(err);
    if (strcmp(format, "json") == 0)
        return print_json(table, err);
    if (strcmp(format, "csv") != 0)
        return print_aligned(table, err);
    print_csv(table);
    return SMAP_OK;
}
