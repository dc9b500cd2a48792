/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/algorithms.h"

#include <string.h>

#include "base/text.h"

/* In the order of lists: the baseline, what the papers are about, `best`, what is seldom wanted. */
static const struct smap_algorithm *const listed[] = {
    &smap_algorithm_blocked, &smap_algorithm_hyperplane,        &smap_algorithm_kdtree,
    &smap_algorithm_strips,  &smap_algorithm_nodecart,          &smap_algorithm_best,
    &smap_algorithm_greedy,  &smap_algorithm_hyperplane_thesis, &smap_algorithm_cuts,
    &smap_algorithm_random,
};

const struct smap_algorithm *smap_algorithm_at(size_t i)
{
    return i < sizeof(listed) / sizeof(listed[0]) ? listed[i] : NULL;
}

bool smap_algorithm_name(size_t i, const char **name, const char **summary)
{
    const struct smap_algorithm *algorithm = smap_algorithm_at(i);
    if (!algorithm)
        return false;
    *name = algorithm->name;
    *summary = algorithm->summary;
    return true;
}

static bool is_named(const struct smap_algorithm *algorithm, const char *text, size_t length)
{
    bool parameter = text[length] == ':';
    return strlen(algorithm->name) == length && memcmp(algorithm->name, text, length) == 0 &&
           algorithm->parameter != (parameter ? SMAP_PARAMETER_NONE : SMAP_PARAMETER_REQUIRED);
}

const struct smap_algorithm *smap_algorithm_find(const char **parameter, const char *text)
{
    size_t length = strcspn(text, ":");
    if (parameter)
        *parameter = text[length] == ':' ? text + length + 1 : NULL;
    for (size_t i = 0; smap_algorithm_at(i); i++)
        if (is_named(smap_algorithm_at(i), text, length))
            return smap_algorithm_at(i);
    return is_named(&smap_algorithm_bands, text, length) ? &smap_algorithm_bands : NULL;
}

int smap_mapping_from_text(struct smap_mapping **mapping, const char *text,
                           const struct smap_instance *instance,
                           const struct smap_mapping_options *options, struct smap_error *err)
{
    struct smap_mapping_options with = options ? *options : (struct smap_mapping_options){0};
    const struct smap_algorithm *algorithm = smap_algorithm_find(&with.parameter, text);
    if (!algorithm)
        return smap_fail(err, SMAP_EINVAL, "'%.100s' is no mapping algorithm", text);
    return smap_mapping_create(mapping, algorithm, instance, &with, err);
}

char *smap_mapping_to_text(const struct smap_mapping *mapping)
{
    const struct smap_mapping *m = mapping->stand_in ? mapping->stand_in : mapping;
    struct smap_text text = {0};
    if (m->algorithm->searches)
        return NULL;
    smap_text_add(&text, "%s", m->algorithm->name);
    if (m->parameter)
        smap_text_add(&text, ":%s", m->parameter);
    return smap_text_take(&text);
}
