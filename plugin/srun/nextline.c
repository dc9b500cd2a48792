/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/nextline.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "option_row.h"

/* Longer lines are cut: nobody types them. */
enum { LINE_MAX_BYTES = 65536 };

/* The option that the word is, with or without a value; false for any other word. */
static bool is_ours(enum option *option, const char *word)
{
    return strncmp(word, "--", 2) == 0 && option_find(option, word + 2, strcspn(word + 2, "="));
}

/* Does the new line say it anew? */
static bool is_replaced(enum option option)
{
    return option == OPTION_WATCH || option == OPTION_MAP || option == OPTION_STENCIL ||
           option == OPTION_DIMS || option == OPTION_PERIODIC || option == OPTION_RANKS;
}

static void add_word(struct smap_text *text, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "-_=+,./:@%^";
    bool plain = word[0] && word[strspn(word, harmless)] == '\0';
    smap_text_add(text, plain ? " " : " '");
    for (const char *c = word; *c; c++)
        smap_text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    smap_text_add(text, plain ? "" : "'");
}

char *nextline(const char *options, char *const argv[], size_t count, size_t program_words)
{
    struct smap_text text = {0};
    size_t own = program_words < count ? count - program_words : count;
    smap_text_add(&text, "srun %s", options);
    for (size_t i = 1; i < count; i++) {
        enum option option;
        if (i >= own || !is_ours(&option, argv[i]) || !is_replaced(option))
            add_word(&text, argv[i]);
        else if (!strchr(argv[i], '=') && !option_row(option)->bare)
            i++; /* its value */
    }
    return smap_text_take(&text);
}

char *nextline_here(const char *options, size_t program_words)
{
    char *line = calloc(1, LINE_MAX_BYTES + 1), **argv = NULL, *text = NULL;
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t length = line && file ? fread(line, 1, LINE_MAX_BYTES, file) : 0, count = 0;
    for (size_t i = 0; i < length; i++)
        count += line[i] == '\0';
    argv = calloc(count + 1, sizeof(*argv));
    count = 0;
    for (size_t i = 0; argv && i < length; i += strlen(line + i) + 1)
        argv[count++] = line + i;
    if (argv && count > 0)
        text = nextline(options, argv, count, program_words);
    if (file)
        fclose(file);
    free(argv);
    free(line);
    return text;
}
