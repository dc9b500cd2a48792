/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing a table as --format says. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

int table_print(const struct smap_table *table, const char *format, struct smap_error *err)
{
    enum smap_table_format kind = strcmp(format, "json") == 0  ? SMAP_TABLE_JSON
                                  : strcmp(format, "csv") == 0 ? SMAP_TABLE_CSV
                                                               : SMAP_TABLE_ALIGNED;
    if (!smap_table_complete(table))
        return smap_nomem(err);
    for (size_t row = 0; row <= smap_table_rows(table); row++) {
        struct smap_text text = {0};
        smap_table_line(&text, table, kind, row);
        char *line = smap_text_take(&text);
        if (!line)
            return smap_nomem(err);
        fputs(line, stdout);
        free(line);
    }
    return SMAP_OK;
}

void print_wrapped(const char *format, ...)
{
    enum { WIDTH = 80, INDENT = 2 };
    char *text = NULL;
    size_t column = 0;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    for (const char *word = length >= 0 ? text : ""; *word;) {
        size_t size = strcspn(word, " ");
        if (column > INDENT && column + 1 + size > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > 0) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)size, word);
        column += size;
        word += size + strspn(word + size, " ");
    }
    putchar('\n');
    if (length >= 0)
        free(text);
}
