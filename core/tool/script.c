/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool/script.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "step/nodesizes.h"

int script_open(struct script *script, const char *path, struct smap_error *err)
{
    *script = (struct script){.file = fopen(path, "re"), .next = 1};
    if (!script->file)
        return smap_fail(err, SMAP_ESYS, "--script=%.200s: %s", path, strerror(errno));
    return SMAP_OK;
}

void script_close(struct script *script)
{
    if (script->file)
        fclose(script->file);
    free(script->text);
    line_clear(&script->sbatch);
    line_clear(&script->variables);
    *script = (struct script){.file = NULL};
}

/* The next line, with those that it goes on in behind a backslash; false at the end. */
static bool read_line(struct script *script, struct smap_error *err, int *rc)
{
    struct smap_text text = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool goes_on = true, any = false;
    script->number = script->next;
    while (goes_on && (length = getline(&line, &room, script->file)) >= 0) {
        any = true;
        script->next++;
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        goes_on = length > 0 && line[length - 1] == '\\' && line[0] != '#';
        smap_text_add(&text, "%.*s", (int)(length - goes_on), line);
    }
    free(line);
    free(script->text);
    script->text = smap_text_take(&text);
    script->rest = script->text;
    *rc = script->text ? SMAP_OK : smap_nomem(err);
    return any && script->text;
}

static int read_sbatch(struct script *script, struct smap_error *err)
{
    const char *cursor = script->text + strlen("#SBATCH");
    struct words words;
    size_t used;
    int rc = words_read(&words, &cursor, &script->variables, err);
    if (rc == SMAP_OK && words.count > 0 && strcmp(words.word[0], "hetjob") == 0)
        rc = smap_fail(err, SMAP_EINVAL,
                       "the components of a heterogeneous job cannot be mapped together");
    if (rc == SMAP_OK)
        rc = line_read(&script->sbatch, &used, words.word, words.count, true, err);
    words_clear(&words);
    return rc;
}

/* What the job's options are to the script. */
static int make_variables(struct script *script, struct smap_error *err)
{
    const char *nodes = line_get(&script->sbatch, "nodes"), *cursor = nodes;
    const char *per_node = line_get(&script->sbatch, "ntasks-per-node"), *rest = per_node;
    const char *variable, *option;
    uint64_t n, k;
    char tasks[24];
    int rc = SMAP_OK;
    if (nodes && per_node && !line_get(&script->sbatch, "ntasks") &&
        smap_scan_uint(&cursor, SMAP_TASKS_MAX, &n) && *cursor == '\0' &&
        smap_scan_uint(&rest, SMAP_TASKS_MAX, &k) && *rest == '\0') {
        snprintf(tasks, sizeof(tasks), "%" PRIu64, n * k);
        rc = line_set(&script->sbatch, "ntasks", tasks, err);
    }
    for (size_t i = 0; rc == SMAP_OK && (variable = line_variable(&option, i)); i++) {
        const char *value = line_get(&script->sbatch, option);
        if (strncmp(variable, "SLURM_", strlen("SLURM_")) == 0)
            rc = line_set(&script->variables, variable, value ? value : "", err);
    }
    return rc;
}

/* Is it "NAME=value"? Then that is known from now on. */
static bool assigns(struct script *script, const char *word, int *rc, struct smap_error *err)
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        length++;
    if (length == 0 || word[length] != '=' || isdigit((unsigned char)word[0]))
        return false;
    char *name = strndup(word, length);
    *rc = name ? line_set(&script->variables, name, word + length + 1, err) : smap_nomem(err);
    free(name);
    return true;
}

/* Words that a command may stand behind. */
static bool goes_before(const char *word)
{
    static const char *const before[] = {"export", "exec", "time", "env",    "nice",
                                         "nohup",  "if",   "then", "else",   "while",
                                         "do",     "!",    "{",    "command"};
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
        if (strcmp(word, before[i]) == 0)
            return true;
    return false;
}

static bool is_srun(const char *word)
{
    const char *name = strrchr(word, '/');
    return strcmp(name ? name + 1 : word, "srun") == 0;
}

/* Leaves the words from srun on; none if this is another command. */
static int keep_srun(struct words *words, struct script *script, struct smap_error *err)
{
    size_t first = 0;
    int rc = SMAP_OK;
    while (rc == SMAP_OK && first < words->count &&
           (assigns(script, words->word[first], &rc, err) || goes_before(words->word[first])))
        first++;
    if (rc == SMAP_OK && first < words->count && is_srun(words->word[first])) {
        for (size_t i = 0; i < first; i++)
            free(words->word[i]);
        words->count -= first;
        memmove(words->word, words->word + first, words->count * sizeof(*words->word));
        return SMAP_OK;
    }
    words_clear(words);
    return rc;
}

/* The next command of the line that is being read. */
static int next_command(struct words *words, struct script *script, struct smap_error *err)
{
    int rc = words_read(words, &script->rest, &script->variables, err);
    if (rc == SMAP_OK && words->count > 0 && !script->begun) {
        script->begun = true;
        words_clear(words);
        rc = make_variables(script, err);
        script->rest = script->text; /* its variables are known now */
        if (rc == SMAP_OK)
            rc = words_read(words, &script->rest, &script->variables, err);
    }
    return rc == SMAP_OK ? keep_srun(words, script, err) : rc;
}

int script_next(struct words *words, struct script *script, struct smap_error *err)
{
    int rc = SMAP_OK;
    *words = (struct words){0};
    while (rc == SMAP_OK && words->count == 0) {
        if (script->rest && *script->rest) {
            rc = next_command(words, script, err);
            continue;
        }
        if (!read_line(script, err, &rc))
            return rc;
        if (!script->begun && strncmp(script->text, "#SBATCH", strlen("#SBATCH")) == 0) {
            rc = read_sbatch(script, err);
            script->rest = NULL;
        }
    }
    return rc;
}
