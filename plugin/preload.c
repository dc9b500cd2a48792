/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define SEPARATORS ": "

/* Is the word one of the list's? */
static bool has_word(const char *list, const char *word, size_t length)
{
    while (list && *list) {
        size_t own = strcspn(list, SEPARATORS);
        if (own == length && strncmp(list, word, length) == 0)
            return true;
        list += own + strspn(list + own, SEPARATORS);
    }
    return false;
}

/* Adds the words of a list that are not among others'. */
static void add_words(struct smap_text *text, const char *list, const char *others)
{
    while (list && *list) {
        size_t length = strcspn(list, SEPARATORS);
        if (length > 0 && !has_word(others, list, length))
            smap_text_add(text, "%s%.*s", text->length ? ":" : "", (int)length, list);
        list += length + strspn(list + length, SEPARATORS);
    }
}

char *preload_join(const char *list, const char *ours)
{
    struct smap_text text = {0};
    add_words(&text, list, ours);
    add_words(&text, ours, NULL);
    return smap_text_take(&text);
}

char *preload_without(const char *list, const char *ours)
{
    struct smap_text text = {0};
    add_words(&text, list, ours);
    return smap_text_take(&text);
}

bool preload_is_name(const char *path)
{
    return path[0] == '/' && strpbrk(path, SEPARATORS) == NULL;
}

void preload_clear(void)
{
    const char *ours = getenv(PRELOAD_OURS);
    if (!ours)
        return;
    char *users = preload_without(getenv("LD_PRELOAD"), ours);
    if (users && users[0])
        setenv("LD_PRELOAD", users, 1);
    else if (users)
        unsetenv("LD_PRELOAD");
    free(users);
    unsetenv(PRELOAD_OURS);
    unsetenv(PRELOAD_WATCH);
}
