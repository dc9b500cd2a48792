/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a record, read and written. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "record/record.h"

/* Of a line that is read; and of one that is skipped, which a file without any line must not be. */
enum { LINE_MAX_LENGTH = 1023, SKIPPED_MAX = 1 << 20 };

/* A line without its end, and where it is. */
struct lines {
    FILE *file;
    uint64_t number;
    size_t length; /* of text */
    size_t beyond; /* it was so much longer than that */
    char text[LINE_MAX_LENGTH + 1];
};

/* False at the end of the file. A zero is as good a character as any and no number has one. */
static bool next_line(struct lines *lines)
{
    int c = getc_unlocked(lines->file);
    if (c == EOF)
        return false;
    lines->number++;
    lines->length = 0;
    lines->beyond = 0;
    for (; c != EOF && c != '\n' && lines->beyond < SKIPPED_MAX; c = getc_unlocked(lines->file)) {
        if (lines->length == LINE_MAX_LENGTH)
            lines->beyond++;
        else
            lines->text[lines->length++] = c ? (char)c : 1;
    }
    if (lines->length > 0 && lines->text[lines->length - 1] == '\r')
        lines->length--;
    lines->text[lines->length] = '\0';
    return true;
}

/* Moves the cursor over blanks; false if there are none. */
static bool blank(const char **cursor)
{
    size_t length = strspn(*cursor, " \t");
    *cursor += length;
    return length > 0;
}

/* The number behind some blanks. */
static bool number(const char **cursor, uint64_t max, uint64_t *value)
{
    return blank(cursor) && smap_scan_uint(cursor, max, value);
}

static bool at_end(const char *cursor)
{
    return cursor[strspn(cursor, " \t")] == '\0';
}

static int read_node(struct smap_record *record, const char *cursor, struct smap_error *err)
{
    uint64_t rank;
    char name[LINE_MAX_LENGTH + 1];
    if (!number(&cursor, UINT32_MAX, &rank) || !blank(&cursor))
        return smap_fail(err, SMAP_EINVAL, "not a rank and a name like node 0 n0");
    size_t length = strcspn(cursor, " \t");
    memcpy(name, cursor, length);
    name[length] = '\0';
    if (!at_end(cursor + length))
        return smap_fail(err, SMAP_EINVAL, "not a rank and a name like node 0 n0");
    return smap_record_node(record, (uint32_t)rank, name, err);
}

static int read_sent(struct smap_record *record, const char *cursor, struct smap_error *err)
{
    uint64_t from, to;
    struct smap_record_edge edge;
    if (!number(&cursor, UINT32_MAX, &from) || !number(&cursor, UINT32_MAX, &to) ||
        !number(&cursor, INT64_MAX, &edge.messages) || !number(&cursor, INT64_MAX, &edge.bytes) ||
        !at_end(cursor))
        return smap_fail(err, SMAP_EINVAL,
                         "not from, to, messages and bytes like sent 0 1 87 1424640");
    edge.from = (uint32_t)from;
    edge.to = (uint32_t)to;
    return smap_record_sent(record, &edge, err);
}

static bool scan_cart(struct smap_record_cart *cart, const char *cursor)
{
    uint64_t value;
    size_t flags = 0;
    if (!blank(&cursor))
        return false;
    do {
        if (cart->ndims == SMAP_RECORD_DIMS_MAX || !smap_scan_uint(&cursor, UINT32_MAX, &value))
            return false;
        cart->dims[cart->ndims++] = (uint32_t)value;
    } while (smap_scan_char(&cursor, 'x'));
    if (!blank(&cursor))
        return false;
    do {
        if (flags == cart->ndims || !smap_scan_uint(&cursor, 1, &value))
            return false;
        cart->periodic[flags++] = value == 1;
    } while (smap_scan_char(&cursor, ','));
    if (flags != cart->ndims || !number(&cursor, 1, &value))
        return false;
    cart->reorder = value == 1;
    return at_end(cursor);
}

static int read_cart(struct smap_record *record, const char *cursor, struct smap_error *err)
{
    struct smap_record_cart cart = {.ndims = 0};
    if (!scan_cart(&cart, cursor))
        return smap_fail(err, SMAP_EINVAL, "not dims, periodic and reorder like cart 4x8 0,0 1");
    return smap_record_cart(record, &cart, err);
}

static const struct word {
    const char *name;
    int (*read)(struct smap_record *record, const char *cursor, struct smap_error *err);
} words[] = {{"node", read_node}, {"sent", read_sent}, {"cart", read_cart}};

static int read_line(struct smap_record *record, const struct lines *lines, struct smap_error *err)
{
    size_t length = strcspn(lines->text, " \t");
    if (lines->beyond == SKIPPED_MAX)
        return smap_fail(err, SMAP_EINVAL, "longer than %d characters", SKIPPED_MAX);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i].name) != length || strncmp(lines->text, words[i].name, length) != 0)
            continue;
        if (lines->beyond > 0)
            return smap_fail(err, SMAP_EINVAL, "longer than %d characters", LINE_MAX_LENGTH);
        return words[i].read(record, lines->text + length, err);
    }
    return SMAP_OK;
}

static int read_head(struct smap_record *record, const struct lines *lines, struct smap_error *err)
{
    const char *cursor = lines->text, magic[] = "stencilmap-comm";
    uint64_t version, ranks;
    if (strncmp(cursor, magic, sizeof(magic) - 1) != 0)
        return smap_fail(err, SMAP_EINVAL, "not a record, which begins like stencilmap-comm 1 32");
    cursor += sizeof(magic) - 1;
    if (!number(&cursor, UINT32_MAX, &version) || !number(&cursor, UINT32_MAX, &ranks) ||
        !at_end(cursor))
        return smap_fail(err, SMAP_EINVAL,
                         "not version and number of ranks like stencilmap-comm 1 32");
    if (version != 1)
        return smap_fail(err, SMAP_EINVAL, "version %" PRIu64 " of the format, 1 is known",
                         version);
    return smap_record_init(record, (uint32_t)ranks, err);
}

int smap_record_read(struct smap_record *record, FILE *file, struct smap_error *err)
{
    struct lines lines = {.file = file};
    struct smap_error reason = {""};
    *record = (struct smap_record){.ranks = 0};
    if (!next_line(&lines) && !ferror(file))
        return smap_fail(err, SMAP_EINVAL, "empty, a record begins like stencilmap-comm 1 32");
    int rc = ferror(file) ? SMAP_OK : read_head(record, &lines, &reason);
    while (rc == SMAP_OK && !ferror(file) && next_line(&lines))
        rc = read_line(record, &lines, &reason);
    if (rc == SMAP_OK && ferror(file))
        rc = smap_fail(&reason, SMAP_ESYS, "%s", strerror(errno));
    if (rc == SMAP_OK)
        rc = smap_record_finish(record, &reason);
    if (rc != SMAP_OK) {
        smap_record_clear(record);
        if (rc == SMAP_EINVAL)
            smap_fail(err, rc, "line %" PRIu64 ": %.400s", lines.number, reason.text);
        else
            smap_fail(err, rc, "%s", reason.text);
    }
    return rc;
}

int smap_record_load(struct smap_record *record, const char *path, struct smap_error *err)
{
    *record = (struct smap_record){.ranks = 0};
    FILE *file = fopen(path, "re");
    if (!file)
        return smap_fail(err, SMAP_ESYS, "%s", strerror(errno));
    int rc = smap_record_read(record, file, err);
    fclose(file);
    return rc;
}

static void write_cart(const struct smap_record_cart *cart, FILE *file)
{
    fputs("cart ", file);
    for (size_t i = 0; i < cart->ndims; i++)
        fprintf(file, "%s%" PRIu32, i ? "x" : "", cart->dims[i]);
    for (size_t i = 0; i < cart->ndims; i++)
        fprintf(file, "%s%d", i ? "," : " ", cart->periodic[i]);
    fprintf(file, " %d\n", cart->reorder);
}

int smap_record_write(const struct smap_record *record, FILE *file, struct smap_error *err)
{
    errno = 0;
    fprintf(file, "stencilmap-comm 1 %" PRIu32 "\n", record->ranks);
    for (uint32_t r = 0; r < record->ranks; r++)
        if (record->node_of_rank[r] != SMAP_RECORD_NO_NODE)
            fprintf(file, "node %" PRIu32 " %s\n", r, record->node_names[record->node_of_rank[r]]);
    for (size_t i = 0; i < record->carts; i++)
        write_cart(&record->cart[i], file);
    for (size_t i = 0; i < record->edges; i++) {
        const struct smap_record_edge *e = &record->edge[i];
        fprintf(file, "sent %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", e->from, e->to,
                e->messages, e->bytes);
    }
    if (fflush(file) != 0 || ferror(file))
        return smap_fail(err, SMAP_ESYS, "%s", strerror(errno ? errno : EIO));
    return SMAP_OK;
}
