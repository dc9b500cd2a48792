/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/hostlist.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Names being read. A word "a[1-2]b[3-4]" is a path through its bracket groups: expand() fixes one
 * group after the other and keeps what came before in prefix. */
struct reader {
    struct smap_hostlist *hosts;
    size_t capacity;
    struct smap_error *err;
};

static int bad(struct reader *r, const char *text)
{
    return smap_fail(r->err, SMAP_EINVAL, "'%.200s' is not a list of nodes like n[0-3],n7", text);
}

static int append(struct reader *r, const char *name)
{
    struct smap_hostlist *h = r->hosts;
    if (h->count == SMAP_HOSTS_MAX)
        return smap_fail(r->err, SMAP_EINVAL, "more than %d nodes", SMAP_HOSTS_MAX);
    if (h->count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 16;
        char **grown = reallocarray(h->names, capacity, sizeof(*grown));
        if (!grown)
            return smap_nomem(r->err);
        h->names = grown;
        r->capacity = capacity;
    }
    h->names[h->count] = strdup(name);
    if (!h->names[h->count])
        return smap_nomem(r->err);
    h->count++;
    return SMAP_OK;
}

static int expand(struct reader *r, const char *prefix, const char *rest);

/* All numbers of one range "007-12" in front of the rest of the word. */
static int expand_range(struct reader *r, const char *prefix, uint64_t low, uint64_t high,
                        int width, const char *rest)
{
    int rc = SMAP_OK;
    for (uint64_t number = low; rc == SMAP_OK && number <= high; number++) {
        struct smap_text text = {0};
        smap_text_add(&text, "%s%0*" PRIu64, prefix, width, number);
        char *longer = smap_text_take(&text);
        rc = longer ? expand(r, longer, rest) : smap_nomem(r->err);
        free(longer);
    }
    return rc;
}

/* prefix is final; rest is the word's remainder up to its end. */
static int expand(struct reader *r, const char *prefix, const char *rest)
{
    size_t plain = strcspn(rest, "[");
    struct smap_text text = {0};
    smap_text_add(&text, "%s%.*s", prefix, (int)plain, rest);
    char *fixed = smap_text_take(&text);
    int rc = SMAP_OK;
    if (!fixed)
        return smap_nomem(r->err);
    /* Every group adds a character: this bounds the depth of the recursion too. */
    if (strlen(fixed) > SMAP_HOST_NAME_MAX) {
        free(fixed);
        return smap_fail(r->err, SMAP_EINVAL, "a node name is longer than %d characters",
                         SMAP_HOST_NAME_MAX);
    }
    const char *close = strchr(rest, ']');
    if (rest[plain] == '\0') {
        rc = *fixed && !close ? append(r, fixed) : bad(r, rest);
    } else {
        const char *cursor = rest + plain + 1;
        do {
            uint64_t low, high;
            const char *digits = cursor;
            if (!close || !smap_scan_uint(&cursor, INT64_MAX, &low)) {
                rc = bad(r, rest);
                break;
            }
            int width = (int)(cursor - digits);
            high = low;
            if (smap_scan_char(&cursor, '-') &&
                (!smap_scan_uint(&cursor, INT64_MAX, &high) || high < low))
                rc = bad(r, rest);
            if (rc == SMAP_OK)
                rc = expand_range(r, fixed, low, high, width, close + 1);
        } while (rc == SMAP_OK && smap_scan_char(&cursor, ','));
        if (rc == SMAP_OK && cursor != close)
            rc = bad(r, rest);
    }
    free(fixed);
    return rc;
}

/* The length of the first word: commas inside brackets do not end it. */
static size_t word_length(const char *text)
{
    size_t depth = 0, i = 0;
    for (; text[i] && !(text[i] == ',' && depth == 0); i++) {
        if (text[i] == '[')
            depth++;
        else if (text[i] == ']' && depth > 0)
            depth--;
    }
    return i;
}

int smap_hostlist_parse(struct smap_hostlist **hosts, const char *text, struct smap_error *err)
{
    struct reader r = {.hosts = calloc(1, sizeof(struct smap_hostlist)), .err = err};
    int rc = r.hosts ? SMAP_OK : smap_nomem(err);
    while (rc == SMAP_OK) {
        size_t length = word_length(text);
        char *word = strndup(text, length);
        rc = word ? expand(&r, "", word) : smap_nomem(err);
        free(word);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    if (rc != SMAP_OK) {
        smap_hostlist_destroy(r.hosts);
        return rc;
    }
    *hosts = r.hosts;
    return SMAP_OK;
}

int smap_hostlist_copy(struct smap_hostlist **copy, const struct smap_hostlist *hosts,
                       struct smap_error *err)
{
    struct reader r = {.hosts = calloc(1, sizeof(struct smap_hostlist)), .err = err};
    int rc = r.hosts ? SMAP_OK : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < hosts->count; i++)
        rc = append(&r, hosts->names[i]);
    if (rc != SMAP_OK) {
        smap_hostlist_destroy(r.hosts);
        return rc;
    }
    *copy = r.hosts;
    return SMAP_OK;
}

void smap_hostlist_destroy(struct smap_hostlist *hosts)
{
    if (!hosts)
        return;
    for (size_t i = 0; i < hosts->count; i++)
        free(hosts->names[i]);
    free(hosts->names);
    free(hosts);
}

size_t smap_hostlist_find(const struct smap_hostlist *hosts, const char *name)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->names[i], name) == 0)
            return i;
    return SIZE_MAX;
}
