/* SPDX-License-Identifier: BSD-3-Clause */
/* One table, three ways to write it: aligned for people, CSV and JSON for programs. */
#ifndef SMAP_TABLE_H
#define SMAP_TABLE_H

#include <stddef.h>

#include "base/text.h"

enum smap_table_format { SMAP_TABLE_ALIGNED, SMAP_TABLE_CSV, SMAP_TABLE_JSON };

struct smap_table;

/* columns: their names, NULL-terminated, 64 at most. NULL without memory, which all functions take:
 * asking smap_table_complete at the end is enough. */
struct smap_table *smap_table_create(const char *const columns[]);
void smap_table_destroy(struct smap_table *table);

/* What looks like a number in this column is none: "10" as a list of cpus. */
void smap_table_text_column(struct smap_table *table, const char *column);

/* Adds the next cell, row by row. */
__attribute__((format(printf, 2, 3))) void smap_table_add(struct smap_table *table,
                                                          const char *format, ...);

/* All that was added is there, in full rows. */
bool smap_table_complete(const struct smap_table *table);

/* The rows below the names of the columns. */
size_t smap_table_rows(const struct smap_table *table);

/* Adds line `row` to text: 0 is the names of the columns (in JSON the opening bracket), then come
 * the rows from 1 on; all of them one after the other are the whole. In JSON, a list of objects,
 * "" is null and 42 or 4.2 a number. */
void smap_table_line(struct smap_text *text, const struct smap_table *table,
                     enum smap_table_format format, size_t row);

/* Adds a string with its quotes, as JSON has it. */
void smap_json_string(struct smap_text *text, const char *string);

#endif
