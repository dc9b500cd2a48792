/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "order/order_text_private.h"

static bool scan_word(const char **cursor, char name[SMAP_NAME_SIZE])
{
    const char *begin = *cursor;
    while (isalnum((unsigned char)**cursor) || **cursor == '_')
        (*cursor)++;
    return smap_level_canonical(name, begin, (size_t)(*cursor - begin));
}

/* Numbers use '-' in the paper and ',' is natural too; the same goes for names. */
static bool scan_separator(const char **cursor)
{
    return smap_scan_char(cursor, ',') || smap_scan_char(cursor, '-');
}

static const char *scan_numbers(struct smap_order_text *s, const char *cursor)
{
    s->form = SMAP_FORM_NUMBERS;
    do {
        char word[SMAP_NAME_SIZE];
        if (s->count > 0 && scan_word(&(const char *){cursor}, word) &&
            strcmp(word, "membind") == 0) {
            s->membind = true;
            return cursor[strlen("membind")] ? "membind comes last" : NULL;
        }
        if (s->count == SMAP_LEVELS_MAX)
            return "more levels than a hierarchy can have";
        if (!smap_scan_uint(&cursor, UINT64_MAX, &s->number[s->count]))
            return "level numbers look like 2-1-0";
        s->count++;
    } while (scan_separator(&cursor));
    return *cursor ? "level numbers look like 2-1-0" : NULL;
}

static const char *scan_names(struct smap_order_text *s, const char *cursor)
{
    s->form = SMAP_FORM_NAMES;
    do {
        char word[SMAP_NAME_SIZE];
        if (!scan_word(&cursor, word))
            return "level names look like core,socket,node";
        if (strcmp(word, "membind") == 0) {
            s->membind = true;
            return s->count == 0 ? "an order comes before membind"
                   : *cursor     ? "membind comes last"
                                 : NULL;
        }
        if (strcmp(word, "block") == 0 || strcmp(word, "cyclic") == 0)
            return "Slurm's words look like block:cyclic and do not mix with levels";
        if (s->count == SMAP_LEVELS_MAX)
            return "more levels than a hierarchy can have";
        for (size_t i = 0; i < s->count; i++)
            if (strcmp(s->name[i], word) == 0)
                return "a level is there twice";
        memcpy(s->name[s->count++], word, SMAP_NAME_SIZE);
    } while (scan_separator(&cursor));
    return *cursor ? "level names look like core,socket,node" : NULL;
}

static const char *scan_membind(struct smap_order_text *s, const char *cursor)
{
    char word[SMAP_NAME_SIZE];
    if (*cursor == '\0')
        return NULL;
    s->membind = smap_scan_char(&cursor, ',') && scan_word(&cursor, word) &&
                 strcmp(word, "membind") == 0 && *cursor == '\0';
    return s->membind ? NULL : "only ,membind can follow here";
}

/* "block", "block:cyclic", "plane=4"; false if it does not begin like that. */
static bool scan_slurm(struct smap_order_text *s, const char **problem, const char *cursor)
{
    char word[SMAP_NAME_SIZE];
    if (!scan_word(&cursor, word))
        return false;
    if (strcmp(word, "plane") == 0) {
        s->form = SMAP_FORM_PLANE;
        *problem = smap_scan_char(&cursor, '=') && smap_scan_uint(&cursor, UINT64_MAX, &s->plane) &&
                           s->plane > 0
                       ? scan_membind(s, cursor)
                       : "a plane has a size, as in plane=4";
        return true;
    }
    s->nodes_cyclic = strcmp(word, "cyclic") == 0;
    if (!s->nodes_cyclic && strcmp(word, "block") != 0)
        return false;
    s->form = SMAP_FORM_WORDS;
    s->sockets_cyclic = true;
    if (smap_scan_char(&cursor, ':')) {
        if (!scan_word(&cursor, word))
            word[0] = '\0';
        s->sockets_cyclic = strcmp(word, "cyclic") == 0;
        if (!s->sockets_cyclic && strcmp(word, "block") != 0) {
            *problem = "the word for sockets is block or cyclic";
            return true;
        }
        if (*cursor == ':') {
            *problem = "two words are enough, for nodes and sockets";
            return true;
        }
    }
    *problem = scan_membind(s, cursor);
    return true;
}

int smap_order_scan(struct smap_order_text *s, const char *text, struct smap_error *err)
{
    const char *problem = NULL;
    memset(s, 0, sizeof(*s));
    if (*text == '\0')
        problem = "empty; give level numbers (2-1-0), names (core,socket,node) or block:cyclic";
    else if (*text >= '0' && *text <= '9')
        problem = scan_numbers(s, text);
    else if (!scan_slurm(s, &problem, text))
        problem = scan_names(s, text);
    return problem ? smap_fail(err, SMAP_EINVAL, "--rank-order=%s: %s", text, problem) : SMAP_OK;
}

int smap_order_check_permutation(const char *text, const struct smap_order_text *s,
                                 struct smap_error *err)
{
    unsigned seen = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->number[i] >= s->count)
            return smap_fail(err, SMAP_EINVAL,
                             "--rank-order=%s: no level %" PRIu64 "; %zu levels are 0 to %zu", text,
                             s->number[i], s->count, s->count - 1);
        if (seen & 1u << s->number[i])
            return smap_fail(err, SMAP_EINVAL, "--rank-order=%s: level %" PRIu64 " is there twice",
                             text, s->number[i]);
        seen |= 1u << s->number[i];
    }
    return SMAP_OK;
}

static int refuse_unknown(const char *text, const char *name, struct smap_error *err)
{
    char *list = smap_level_kinds();
    smap_fail(err, SMAP_EINVAL,
              "--rank-order=%s: no level is called '%s'; there are node, %s, fake", text, name,
              list ? list : "");
    free(list);
    return SMAP_EINVAL;
}

int smap_order_check(size_t *numbers, const char *text, struct smap_error *err)
{
    struct smap_order_text s;
    int rc = smap_order_scan(&s, text, err);
    if (numbers)
        *numbers = 0;
    if (rc != SMAP_OK)
        return rc;
    if (s.form == SMAP_FORM_NUMBERS) {
        if (numbers)
            *numbers = s.count;
        return smap_order_check_permutation(text, &s, err);
    }
    bool nodes = false; /* then other names may be levels around them */
    for (size_t i = 0; i < s.count; i++)
        nodes = nodes || strcmp(s.name[i], "node") == 0;
    for (size_t i = 0; i < s.count && !nodes; i++)
        if (!smap_level_is_known(s.name[i]) && !smap_level_is_fake(s.name[i]))
            return refuse_unknown(text, s.name[i], err);
    return SMAP_OK;
}

bool smap_order_names(const char *text, const char *name)
{
    struct smap_order_text s;
    if (smap_order_scan(&s, text, NULL) != SMAP_OK || s.form != SMAP_FORM_NAMES)
        return false;
    for (size_t i = 0; i < s.count; i++)
        if (strcmp(s.name[i], name) == 0)
            return true;
    return false;
}
