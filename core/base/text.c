/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool smap_scan_uint(const char **cursor, uint64_t max, uint64_t *value)
{
    const char *c = *cursor;
    uint64_t v = 0;
    if (*c < '0' || *c > '9')
        return false;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, digit, &v) || v > max)
            return false;
    }
    *value = v;
    *cursor = c;
    return true;
}

bool smap_scan_int(const char **cursor, int64_t max, int64_t *value)
{
    const char *c = *cursor;
    bool negative = *c == '-';
    uint64_t magnitude;
    if (*c == '-' || *c == '+')
        c++;
    if (!smap_scan_uint(&c, (uint64_t)max, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    *cursor = c;
    return true;
}

bool smap_scan_char(const char **cursor, char c)
{
    if (**cursor != c || c == '\0')
        return false;
    (*cursor)++;
    return true;
}

static bool reserve(struct smap_text *text, size_t more)
{
    size_t need;
    if (__builtin_add_overflow(text->length, more, &need) || need == SIZE_MAX)
        return false;
    if (need + 1 <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < need + 1)
        if (__builtin_mul_overflow(capacity, 2, &capacity))
            return false;
    char *grown = realloc(text->text, capacity);
    if (!grown)
        return false;
    text->text = grown;
    text->capacity = capacity;
    return true;
}

void smap_lower(char *value)
{
    for (char *c = value; *value != '@' && *c; c++)
        if (*c >= 'A' && *c <= 'Z') /* whatever the locale is */
            *c = (char)(*c - 'A' + 'a');
}

size_t smap_list_length(const char *list)
{
    size_t total = 0;
    uint64_t first, last;
    while (list && smap_scan_uint(&list, UINT32_MAX, &first)) {
        last = first;
        if (smap_scan_char(&list, '-') && !smap_scan_uint(&list, UINT32_MAX, &last))
            break;
        total += last >= first ? last - first + 1 : 0;
        if (!smap_scan_char(&list, ','))
            break;
    }
    return total;
}

void smap_text_add(struct smap_text *text, const char *format, ...)
{
    va_list args;
    if (text->failed)
        return;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(text, (size_t)length)) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(text->text + text->length, (size_t)length + 1, format, args);
    va_end(args);
    text->length += (size_t)length;
}

char *smap_text_take(struct smap_text *text)
{
    char *taken = text->text;
    if (text->failed) {
        free(taken);
        taken = NULL;
    } else if (!taken) {
        taken = calloc(1, 1);
    }
    *text = (struct smap_text){0};
    return taken;
}
