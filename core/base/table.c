/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct smap_table {
    char **cells; /* row by row, the names of the columns first */
    size_t columns;
    size_t count;
    size_t capacity;
    int *widths;   /* of the columns */
    uint64_t text; /* columns of text, as bits */
    bool failed;
};

/* Takes the cell, which is NULL for want of memory. */
static void add(struct smap_table *t, char *cell)
{
    if (cell && t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        char **grown = reallocarray(t->cells, capacity, sizeof(*grown));
        t->cells = grown ? grown : t->cells;
        t->capacity = grown ? capacity : t->capacity;
    }
    if (!cell || t->count == t->capacity) {
        t->failed = true;
        free(cell);
        return;
    }
    int length = (int)strlen(cell), *width = &t->widths[t->count % t->columns];
    *width = length > *width ? length : *width;
    t->cells[t->count++] = cell;
}

struct smap_table *smap_table_create(const char *const columns[])
{
    struct smap_table *t = calloc(1, sizeof(*t));
    if (!t)
        return NULL;
    while (columns[t->columns])
        t->columns++;
    t->widths = calloc(t->columns, sizeof(*t->widths));
    t->failed = !t->widths;
    for (size_t i = 0; i < t->columns && !t->failed; i++)
        add(t, strdup(columns[i]));
    return t;
}

void smap_table_add(struct smap_table *table, const char *format, ...)
{
    va_list args;
    char *cell = NULL;
    if (!table || table->failed)
        return;
    va_start(args, format);
    if (vasprintf(&cell, format, args) < 0)
        cell = NULL;
    va_end(args);
    add(table, cell);
}

void smap_table_destroy(struct smap_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->widths);
    free(table);
}

void smap_table_text_column(struct smap_table *table, const char *column)
{
    for (size_t i = 0; table && !table->failed && i < table->columns; i++)
        if (strcmp(table->cells[i], column) == 0)
            table->text |= UINT64_C(1) << i;
}

bool smap_table_complete(const struct smap_table *table)
{
    return table && !table->failed && table->count % table->columns == 0;
}

size_t smap_table_rows(const struct smap_table *table)
{
    return smap_table_complete(table) ? table->count / table->columns - 1 : 0;
}

/* Digits, with a fraction or without, as JSON has them: no leading zero. */
static bool is_number(const struct smap_table *t, size_t column, const char *cell)
{
    size_t whole = strspn(cell, "0123456789");
    const char *rest = cell + whole;
    if (t->text >> column & 1 || whole == 0 || (whole > 1 && *cell == '0'))
        return false;
    return *rest == '\0' ||
           (*rest == '.' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

static void add_aligned(struct smap_text *text, const struct smap_table *t, size_t row)
{
    for (size_t column = 0; column < t->columns; column++) {
        const char *cell = t->cells[row * t->columns + column];
        /* Numbers to the right, words to the left; a header as its column. */
        const char *below =
            row == 0 && t->count > t->columns ? t->cells[t->columns + column] : cell;
        bool last = column + 1 == t->columns;
        if (is_number(t, column, below))
            smap_text_add(text, "%*s", t->widths[column], cell);
        else
            smap_text_add(text, "%-*s", last ? 0 : t->widths[column], cell);
        smap_text_add(text, last ? "\n" : "  ");
    }
}

static void add_quoted(struct smap_text *text, const char *cell)
{
    smap_text_add(text, "\"");
    while (*cell) {
        size_t plain = strcspn(cell, "\"");
        smap_text_add(text, "%.*s%s", (int)plain, cell, cell[plain] ? "\"\"" : "");
        cell += plain + (cell[plain] != '\0');
    }
    smap_text_add(text, "\"");
}

static void add_csv(struct smap_text *text, const struct smap_table *t, size_t row)
{
    for (size_t column = 0; column < t->columns; column++) {
        const char *cell = t->cells[row * t->columns + column];
        if (strpbrk(cell, ",\"\n")) {
            add_quoted(text, cell);
        } else {
            smap_text_add(text, "%s", cell);
        }
        smap_text_add(text, column + 1 < t->columns ? "," : "\n");
    }
}

/* How many characters JSON takes as they are. */
static size_t plain_length(const char *string)
{
    size_t n = 0;
    while ((unsigned char)string[n] >= 0x20 && string[n] != '"' && string[n] != '\\')
        n++;
    return n;
}

void smap_json_string(struct smap_text *text, const char *string)
{
    smap_text_add(text, "\"");
    for (size_t plain; *string; string += plain) {
        plain = plain_length(string);
        if (plain > 0) {
            smap_text_add(text, "%.*s", (int)plain, string);
            continue;
        }
        smap_text_add(text, (unsigned char)*string < 0x20 ? "\\u%04x" : "\\%c", (unsigned)*string);
        plain = 1;
    }
    smap_text_add(text, "\"");
}

static void add_json(struct smap_text *text, const struct smap_table *t, size_t row)
{
    size_t rows = smap_table_rows(t);
    if (row == 0) {
        smap_text_add(text, rows ? "[\n" : "[]\n");
        return;
    }
    smap_text_add(text, "  {\n");
    for (size_t column = 0; column < t->columns; column++) {
        const char *cell = t->cells[row * t->columns + column];
        smap_text_add(text, "    ");
        smap_json_string(text, t->cells[column]);
        smap_text_add(text, ": ");
        if (*cell == '\0')
            smap_text_add(text, "null");
        else if (is_number(t, column, cell))
            smap_text_add(text, "%s", cell);
        else
            smap_json_string(text, cell);
        smap_text_add(text, column + 1 < t->columns ? ",\n" : "\n");
    }
    smap_text_add(text, row < rows ? "  },\n" : "  }\n]\n");
}

void smap_table_line(struct smap_text *text, const struct smap_table *table,
                     enum smap_table_format format, size_t row)
{
    if (format == SMAP_TABLE_JSON)
        add_json(text, table, row);
    else if (format == SMAP_TABLE_CSV)
        add_csv(text, table, row);
    else
        add_aligned(text, table, row);
}
