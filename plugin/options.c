/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "env.h"

static struct {
    char *value[OPTION_COUNT];
    enum origin origin[OPTION_COUNT];
    bool inherited_seen[OPTION_COUNT];
} store;

enum { VARIABLE_SIZE = 128 };

/* The name under which Slurm hands an option to slurmstepd. */
#define REMOTE "_SLURM_SPANK_OPTION_stencilmap_"

/* Writes the name of the variable that Slurm keeps an option in. */
static void name_variable(char name[VARIABLE_SIZE], const char *prefix, enum option option)
{
    int length = snprintf(name, VARIABLE_SIZE, "%s%s", prefix, option_row(option)->name);
    for (int i = 0; i < length; i++)
        if (name[i] == '-')
            name[i] = '_';
}

/* Slurm hands the options of an sbatch or salloc down in such variables, and srun's callback is
 * called for them before it is called for the command line. */
static bool handed_down(enum option option)
{
    char name[VARIABLE_SIZE];
    name_variable(name, "SLURM_SPANK_" REMOTE, option);
    return getenv(name) != NULL;
}

void options_unset_remote(spank_t spank)
{
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        char name[VARIABLE_SIZE];
        name_variable(name, REMOTE, i);
        spank_unsetenv(spank, name);
    }
}

/* Keeps a value, in lower case, if it is good and no stronger one is there. */
static int offer(enum option option, const char *value, enum origin origin, struct smap_error *err)
{
    char *copy = strdup(value);
    if (!copy)
        return smap_nomem(err);
    if (!option_row(option)->is_file)
        smap_lower(copy);
    int rc = option_check(option, copy, err);
    if (rc != SMAP_OK || store.origin[option] > origin) {
        free(copy);
        return rc;
    }
    free(store.value[option]);
    store.value[option] = copy;
    store.origin[option] = origin;
    return SMAP_OK;
}

static int on_option(int val, const char *optarg, int remote)
{
    enum option option = (enum option)val;
    const char *bare = option_row(option)->bare, *value = optarg ? optarg : "";
    enum origin origin = ORIGIN_COMMAND_LINE;
    struct smap_error err = {""};
    if (remote)
        return 0; /* srun decides and hands over; slurmstepd takes nothing from users */
    /* Handed down by sbatch, an option without its value is "(null)". */
    if (bare && (!optarg || strcmp(value, "(null)") == 0))
        value = bare;
    if (handed_down(option) && !store.inherited_seen[option]) {
        store.inherited_seen[option] = true;
        origin = ORIGIN_INHERITED;
    }
    if (strcasecmp(value, "help") == 0 && option_has_help(option)) {
        option_print_help(option);
        exit(0);
    }
    if (offer(option, value, origin, &err) == SMAP_OK)
        return 0;
    slurm_error("stencilmap: %s", err.text);
    return -1;
}

void options_register(spank_t spank)
{
    static struct spank_option table[OPTION_COUNT]; /* SPANK keeps pointers to these */
    options_next_component();
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        table[i] = (struct spank_option){
            .name = (char *)row->name,
            .arginfo = (char *)row->placeholder,
            .usage = (char *)row->help,
            .has_arg = row->bare ? 2 : 1, /* as getopt_long counts: 2 is optional */
            .val = i,
            .cb = on_option,
        };
        if (spank_option_register(spank, &table[i]) != ESPANK_SUCCESS)
            slurm_debug("stencilmap: --%s is registered already", row->name);
    }
}

void options_next_component(void)
{
    memset(store.inherited_seen, 0, sizeof(store.inherited_seen));
}

const char *options_get(enum option option)
{
    const char *value = store.value[option];
    return value && !option_is_off(option, value) ? value : NULL;
}

enum origin options_origin(enum option option)
{
    return store.origin[option];
}

bool options_typed_here(void)
{
    for (enum option i = 0; i < OPTION_COUNT; i++)
        if (!option_row(i)->no_effect && store.origin[i] == ORIGIN_COMMAND_LINE)
            return true;
    return false;
}

bool options_from_user(void)
{
    for (enum option i = 0; i < OPTION_COUNT; i++)
        if (store.origin[i] > ORIGIN_PARTITION)
            return true;
    return false;
}

void options_forget(enum option option)
{
    free(store.value[option]);
    store.value[option] = NULL;
    store.origin[option] = ORIGIN_NONE;
}

void options_clear_directives(void)
{
    for (enum option i = 0; i < OPTION_COUNT; i++)
        if (!option_row(i)->no_effect)
            options_forget(i);
}

void options_clear(void)
{
    for (enum option i = 0; i < OPTION_COUNT; i++)
        options_forget(i);
}

int options_default(const char *name, const char *value, enum origin origin, struct smap_error *err)
{
    enum option option;
    if (!option_find(&option, name, strlen(name)))
        return smap_fail(err, SMAP_EINVAL, "no such setting");
    return offer(option, value, origin, err);
}

const char *options_origin_text(enum origin origin)
{
    static const char *const texts[] = {
        [ORIGIN_NONE] = "not set",
        [ORIGIN_SITE] = "site default",
        [ORIGIN_PARTITION] = "partition default",
        [ORIGIN_ENVIRONMENT] = "STENCILMAP_OPTIONS",
        [ORIGIN_INHERITED] = "inherited",
        [ORIGIN_COMMAND_LINE] = "command line",
    };
    return texts[origin];
}

/* One word "--name=value" or "--name". */
static void read_word(const char *word)
{
    struct smap_error err = {"not an option of stencilmap"};
    const char *name = word + 2, *value = strchr(word, '=');
    enum option option;
    if (strncmp(word, "--", 2) == 0 &&
        option_find(&option, name, value ? (size_t)(value - name) : strlen(name))) {
        const char *bare = option_row(option)->bare;
        if (offer(option,
                  value  ? value + 1
                  : bare ? bare
                         : "",
                  ORIGIN_ENVIRONMENT, &err) == SMAP_OK)
            return;
    }
    slurm_info("stencilmap: STENCILMAP_OPTIONS: '%.120s' is left out: %s",
               env_is_printable(word) ? word : "?", err.text);
}

void options_read_environment(void)
{
    const char *text = getenv("STENCILMAP_OPTIONS");
    while (text && *text) {
        size_t length;
        text += strspn(text, " \t\n");
        length = strcspn(text, " \t\n");
        char *word = strndup(text, length);
        if (word && *word)
            read_word(word);
        free(word);
        text += length;
    }
}

static bool has_partner(enum partner partner)
{
    bool map = store.origin[OPTION_MAP] != ORIGIN_NONE;
    bool order = store.origin[OPTION_ORDER] != ORIGIN_NONE;
    return partner == PARTNER_NONE || map || (partner == PARTNER_MAP_OR_ORDER && order);
}

int options_check_partners(struct smap_error *err)
{
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        if (store.origin[i] == ORIGIN_COMMAND_LINE && !has_partner(row->partner))
            return smap_fail(
                err, SMAP_EINVAL, "--%s=%.120s: there is no %s for it", row->name, store.value[i],
                row->partner == PARTNER_MAP ? "--stencil-map" : "--rank-order or --stencil-map");
    }
    return SMAP_OK;
}

struct smap_request options_request(void)
{
    struct smap_request request = {0};
    for (enum option i = 0; i < OPTION_COUNT; i++)
        option_put(&request, i, options_get(i));
    return request;
}

void options_hand_over(bool mapped)
{
    for (enum option i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row(i);
        bool of_mapping = i == OPTION_MAP || row->partner == PARTNER_MAP;
        if (row->handover != HANDOVER_NONE && !row->made_whole && (mapped || !of_mapping))
            handover_set(row->handover, options_get(i));
    }
}

struct smap_request options_handed_over(const struct handover_values *handed)
{
    struct smap_request request = {0};
    for (enum option i = 0; i < OPTION_COUNT; i++)
        option_put(&request, i, handed->value[option_row(i)->handover]);
    return request;
}
