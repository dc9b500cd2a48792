/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cputext.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { WORD = 64, WORDS = SMAP_CPUS_MAX / WORD };

/* The cpus of one text; too large for a stack. */
struct set {
    uint64_t word[WORDS];
};

static size_t set_count(const struct set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < WORDS; i++)
        count += (size_t)__builtin_popcountll(set->word[i]);
    return count;
}

static void set_add(struct set *set, uint64_t cpu)
{
    set->word[cpu / WORD] |= UINT64_C(1) << cpu % WORD;
}

/* Writes the cpus, ascending; returns how many. */
static size_t set_cpus(unsigned cpus[], const struct set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < WORDS; i++)
        for (uint64_t left = set->word[i]; left > 0; left &= left - 1)
            cpus[count++] = (unsigned)(i * WORD) + (unsigned)__builtin_ctzll(left);
    return count;
}

static bool read_list(struct set *set, const char *text)
{
    do {
        uint64_t first, last;
        if (!smap_scan_uint(&text, SMAP_CPUS_MAX - 1, &first))
            return false;
        last = first;
        if (smap_scan_char(&text, '-') &&
            (!smap_scan_uint(&text, SMAP_CPUS_MAX - 1, &last) || last < first))
            return false;
        for (uint64_t cpu = first; cpu <= last; cpu++)
            set_add(set, cpu);
    } while (smap_scan_char(&text, ','));
    return *text == '\0';
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* text[0..length) is a mask of hexadecimal digits, perhaps behind "0x", perhaps with commas, each
 * in front of eight digits. An empty mask is none. */
static bool read_mask(struct set *set, const char *text, size_t length)
{
    size_t bit = 0, in_word = 0;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        length -= 2;
    }
    for (size_t i = length; i > 0; i--) {
        char c = text[i - 1];
        if (c == ',' && in_word == 8 && i > 1) {
            in_word = 0;
            continue;
        }
        if (!isxdigit((unsigned char)c))
            return false;
        unsigned value = digit(c);
        if (bit >= SMAP_CPUS_MAX && value > 0)
            return false;
        for (unsigned b = 0; b < 4 && bit < SMAP_CPUS_MAX; b++, bit++)
            if (value >> b & 1)
                set_add(set, bit);
        in_word++;
    }
    return set_count(set) > 0;
}

/* The set as a list of its own, and done with. */
static int give(unsigned **cpus, size_t *count, struct set *set, struct smap_error *err)
{
    *cpus = calloc(set_count(set) + 1, sizeof(**cpus));
    if (*cpus)
        *count = set_cpus(*cpus, set);
    free(set);
    return *cpus ? SMAP_OK : smap_nomem(err);
}

int smap_cpus_from_list(unsigned **cpus, size_t *count, const char *text, struct smap_error *err)
{
    struct set *set = calloc(1, sizeof(*set));
    if (!set)
        return smap_nomem(err);
    if (read_list(set, text))
        return give(cpus, count, set, err);
    free(set);
    return smap_fail(err, SMAP_EINVAL, "not a list of cpus like 0-3,8");
}

int smap_cpus_from_mask(unsigned **cpus, size_t *count, const char *text, struct smap_error *err)
{
    struct set *set = calloc(1, sizeof(*set));
    if (!set)
        return smap_nomem(err);
    if (read_mask(set, text, strlen(text)))
        return give(cpus, count, set, err);
    free(set);
    return smap_fail(err, SMAP_EINVAL, "not a mask of cpus like ff or 0xff00");
}

/* A list that is being read. Sizes are of what is there, capacities of the room for it. */
struct reading {
    struct smap_cpubind *bind;
    struct set *set;
    size_t cpus, room;
};

/* Room for so many more cpus. */
static bool reserve(struct reading *r, size_t more)
{
    if (r->cpus + more <= r->room)
        return true;
    size_t room = 2 * (r->cpus + more);
    unsigned *grown = reallocarray(r->bind->cpus, room, sizeof(*grown));
    if (!grown)
        return false;
    r->bind->cpus = grown;
    r->room = room;
    return true;
}

static int add_entry(struct reading *r, uint64_t times, struct smap_error *err)
{
    size_t count = set_count(r->set);
    if (r->bind->count + times > SMAP_CPUS_MAX || (r->cpus + times * count) > 64 * SMAP_CPUS_MAX)
        return smap_fail(err, SMAP_EINVAL, "more than %d entries", SMAP_CPUS_MAX);
    if (!reserve(r, (size_t)times * count))
        return smap_nomem(err);
    for (; times > 0; times--) {
        r->cpus += set_cpus(r->bind->cpus + r->cpus, r->set);
        r->bind->first[++r->bind->count] = r->cpus;
    }
    return SMAP_OK;
}

/* text[0..length) is a number, decimal or behind "0x" hexadecimal. */
static bool read_cpu(struct set *set, const char *text, size_t length)
{
    char number[16] = "", *end = number;
    if (length == 0 || length >= sizeof(number) || !isdigit((unsigned char)text[0]))
        return false;
    memcpy(number, text, length);
    bool hex = number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
    unsigned long cpu = strtoul(number, &end, hex ? 16 : 10);
    if (*end != '\0' || cpu >= SMAP_CPUS_MAX)
        return false;
    set_add(set, cpu);
    return true;
}

/* One entry, text[0..length): a cpu or a mask, with "*4" behind it perhaps. */
static int read_entry(struct reading *r, const char *text, size_t length, struct smap_error *err)
{
    const char *star = memchr(text, '*', length), *cursor = star ? star + 1 : NULL;
    size_t what = star ? (size_t)(star - text) : length;
    uint64_t times = 1;
    memset(r->set, 0, sizeof(*r->set));
    bool good = r->bind->masks ? read_mask(r->set, text, what) : read_cpu(r->set, text, what);
    if (good && star)
        good =
            smap_scan_uint(&cursor, SMAP_CPUS_MAX, &times) && times > 0 && cursor == text + length;
    if (good)
        return add_entry(r, times, err);
    return smap_fail(err, SMAP_EINVAL, "'%.*s' is no %s", (int)(length < 60 ? length : 60), text,
                     r->bind->masks ? "mask like 0xff" : "number of a cpu");
}

/* What comes behind "quiet," and "verbose,": the list, or NULL where it is none. */
static const char *find_list(const char *text, bool *masks)
{
    static const char *const told[] = {"quiet,", "verbose,", "q,", "v,"};
    static const char map[] = "map_cpu:", mask[] = "mask_cpu:";
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        if (strncmp(text, told[i], strlen(told[i])) == 0) {
            text += strlen(told[i]);
            break;
        }
    *masks = strncmp(text, mask, sizeof(mask) - 1) == 0;
    if (*masks)
        return text + sizeof(mask) - 1;
    return strncmp(text, map, sizeof(map) - 1) == 0 ? text + sizeof(map) - 1 : NULL;
}

int smap_cpubind_parse(struct smap_cpubind *bind, const char *text, struct smap_error *err)
{
    *bind = (struct smap_cpubind){0};
    const char *list = find_list(text, &bind->masks);
    if (!list)
        return smap_fail(err, SMAP_EINVAL,
                         "not a list like map_cpu:0,8,16 or mask_cpu:0xff,0xff00");
    struct reading r = {.bind = bind, .set = calloc(1, sizeof(*r.set))};
    bind->first = calloc(SMAP_CPUS_MAX + 1, sizeof(*bind->first));
    int rc = r.set && bind->first ? SMAP_OK : smap_nomem(err);
    while (rc == SMAP_OK) {
        size_t length = strcspn(list, ",");
        rc = read_entry(&r, list, length, err);
        if (list[length] == '\0')
            break;
        list += length + 1;
    }
    free(r.set);
    return rc;
}

void smap_cpubind_clear(struct smap_cpubind *bind)
{
    free(bind->first);
    free(bind->cpus);
    *bind = (struct smap_cpubind){0};
}
