/* SPDX-License-Identifier: BSD-3-Clause */
#include "option_row.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "env.h"
#include "order/order_parse.h"

static int option_check_order(const char *value, struct smap_error *err)
{
    return smap_order_check(NULL, value, err);
}

static int option_check_hierarchy(const char *value, struct smap_error *err)
{
    struct smap_hierarchy hierarchy;
    return smap_hierarchy_parse(&hierarchy, value, err);
}

/* Whatever can be the name of a file; whether it can be written is seen when it is. */
static int option_check_file(const char *value, struct smap_error *err)
{
    size_t length = strlen(value);
    if (length < PATH_MAX && value[length - 1] != '/')
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL, "--stencil-watch=%.120s: not the name of a file", value);
}

static const struct option_row rows[OPTION_COUNT] = {
#define OPTION(tag, ...) [OPTION_##tag] = {__VA_ARGS__},
#include "options.def"
#undef OPTION
};

const struct option_row *option_row(enum option option)
{
    return &rows[option];
}

bool option_find(enum option *option, const char *name, size_t length)
{
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0) {
            *option = i;
            return true;
        }
    }
    return false;
}

void option_put(struct smap_request *request, enum option option, const char *value)
{
    const char **member = smap_request_member(request, rows[option].name);
    if (member)
        *member = value;
}

bool option_is_off(enum option option, const char *value)
{
    return rows[option].can_be_off && strcmp(value, "off") == 0;
}

bool option_has_help(enum option option)
{
    return rows[option].names || rows[option].more_help;
}

void option_print_help(enum option option)
{
    const struct option_row *row = &rows[option];
    const char *name, *summary;
    if (row->names)
        printf("--%s takes one of\n", row->name);
    for (size_t i = 0; row->names && row->names(&name, &summary, i); i++)
        printf("  %-17s %s\n", name, summary);
    if (row->more_help)
        fputs(row->more_help, stdout);
}

/* "one of a, b, c, or sizes like 50x48" */
static char *accepted_forms(const struct option_row *row)
{
    struct smap_text text = {0};
    const char *name, *summary, *gap = "one of ";
    for (size_t i = 0; row->names && row->names(&name, &summary, i); i++, gap = ", ")
        smap_text_add(&text, "%s%s", gap, name);
    for (size_t i = 0; row->words[i]; i++, gap = ", ")
        smap_text_add(&text, "%s%s", gap, row->words[i]);
    if (row->more_forms)
        smap_text_add(&text, "%s%s", text.length > 0 ? ", " : "", row->more_forms);
    return smap_text_take(&text);
}

static int refuse(const struct option_row *row, const char *value, const char *unless_empty,
                  struct smap_error *err)
{
    char *forms = accepted_forms(row);
    smap_fail(err, SMAP_EINVAL, "--%s=%.120s: %s%s", row->name, value, *value ? unless_empty : "",
              forms ? forms : "not a value");
    free(forms);
    return SMAP_EINVAL;
}

static int check_word(const struct option_row *row, const char *value, struct smap_error *err)
{
    for (size_t i = 0; row->words[i]; i++)
        if (strcmp(value, row->words[i]) == 0)
            return SMAP_OK;
    return refuse(row, value, "not ", err);
}

int option_check(enum option option, const char *value, struct smap_error *err)
{
    const struct option_row *row = &rows[option];
    struct smap_request request = {0};
    if (*value == '\0')
        return refuse(row, value, "", err);
    if (!env_is_printable(value))
        return smap_fail(err, SMAP_EINVAL, "--%s: the value is not plain printable text",
                         row->name);
    if (option_is_off(option, value))
        return SMAP_OK;
    if (row->check)
        return row->check(value, err);
    if (row->words[0])
        return check_word(row, value, err);
    option_put(&request, option, value);
    return smap_problem_init(NULL, &request, 0, err);
}
