/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of "$(...)" or "`...`", with what is nested in it; 0 if it has no end. */
static size_t substitution_length(const char *text)
{
    if (*text == '`') {
        const char *end = strchr(text + 1, '`');
        return end ? (size_t)(end - text) + 1 : 0;
    }
    size_t depth = 0;
    for (size_t i = 1; text[i]; i++) {
        depth += text[i] == '(';
        if (text[i] == ')' && --depth == 0)
            return i + 1;
    }
    return 0;
}

/* Adds what stands at '$' or '`', and returns its length. */
static size_t add_variable(struct smap_text *word, const char *text, const struct line *variables)
{
    size_t length = 1, name = 1;
    bool braced = text[1] == '{';
    if (*text == '`' || text[1] == '(') {
        length = substitution_length(text);
        length = length ? length : strlen(text);
        smap_text_add(word, "%.*s", (int)length, text);
        return length;
    }
    name += braced;
    for (length = name; in_name(text[length]);)
        length++;
    char *known = strndup(text + name, length - name);
    const char *value = known ? line_get(variables, known) : NULL;
    free(known);
    const char *end = braced ? strchr(text, '}') : text + length;
    if (!end || length == name)
        return smap_text_add(word, "%c", *text), 1;
    size_t whole = (size_t)(end - text) + braced;
    const char *other = text + length; /* ":-other" or "-other" */
    other += *other == ':';
    if (value && (!braced || text[length] == '}' || *other == '-'))
        smap_text_add(word, "%s", value);
    else if (braced && *other == '-')
        smap_text_add(word, "%.*s", (int)(end - other - 1), other + 1);
    else
        smap_text_add(word, "%.*s", (int)whole, text);
    return whole;
}

/* Adds what stands between two quotes, and returns its length with them. */
static size_t add_quoted(struct smap_text *word, const char *text, const struct line *variables)
{
    char quote = *text;
    size_t i = 1;
    while (text[i] && text[i] != quote) {
        if (quote == '"' && (text[i] == '$' || text[i] == '`')) {
            i += add_variable(word, text + i, variables);
            continue;
        }
        if (quote == '"' && text[i] == '\\' && text[i + 1] && strchr("\"\\$`", text[i + 1]))
            i++;
        smap_text_add(word, "%c", text[i++]);
    }
    return i + (text[i] != '\0');
}

/* Adds one word to it, and returns its length. */
static size_t add_word(struct smap_text *word, const char *text, const struct line *variables)
{
    size_t i = 0;
    while (text[i] && !strchr(" \t\n;|&()<>", text[i])) {
        if (text[i] == '\'' || text[i] == '"') {
            i += add_quoted(word, text + i, variables);
        } else if (text[i] == '$' || text[i] == '`') {
            i += add_variable(word, text + i, variables);
        } else {
            i += text[i] == '\\' && text[i + 1];
            smap_text_add(word, "%c", text[i++]);
        }
    }
    return i;
}

static int keep(struct words *words, struct smap_text *word, struct smap_error *err)
{
    char *text = smap_text_take(word);
    char **grown = text ? reallocarray(words->word, words->count + 1, sizeof(*grown)) : NULL;
    if (!grown) {
        free(text);
        return smap_nomem(err);
    }
    words->word = grown;
    words->word[words->count++] = text;
    return SMAP_OK;
}

int words_read(struct words *words, const char **text, const struct line *variables,
               struct smap_error *err)
{
    const char *cursor = *text;
    int rc = SMAP_OK;
    *words = (struct words){0};
    while (rc == SMAP_OK) {
        struct smap_text word = {0};
        cursor += strspn(cursor, " \t");
        if (*cursor == '#')
            cursor += strlen(cursor);
        if (*cursor == '\0')
            break;
        if (strchr("\n;|&()", *cursor)) {
            cursor++;
            break;
        }
        /* A redirection: its file is no word of the command. */
        bool redirected = *cursor == '<' || *cursor == '>';
        cursor += strspn(cursor, "<>&");
        cursor += redirected ? strspn(cursor, " \t") : 0;
        size_t length = add_word(&word, cursor, variables);
        cursor += length;
        if (redirected)
            free(smap_text_take(&word));
        else
            rc = keep(words, &word, err);
    }
    *text = cursor;
    return rc;
}

void words_clear(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct words){0};
}
