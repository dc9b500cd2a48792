/* SPDX-License-Identifier: BSD-3-Clause */
/* Node names: "n[0-3,07],gpu[1-2]-ib". */
#include <stdbool.h>

#include "base/text.h"
#include "fuzz.h"
#include "step/hostlist.h"

/* Would it make so many names that nothing but memory is tested? Ranges of up to two digits do not,
 * and numbers too long for any integer neither. */
static bool too_large(const char *text)
{
    size_t groups = 0;
    for (; *text; text++) {
        size_t digits = strspn(text, "0123456789");
        if (digits > 2 && digits < 19)
            return true;
        text += digits > 1 ? digits - 1 : 0;
        groups += *text == '[';
    }
    return groups > 3;
}

/* A list of plain names means itself. */
static void check_plain(const struct smap_hostlist *hosts)
{
    struct smap_text text = {0};
    struct smap_hostlist *again = NULL;
    for (size_t i = 0; i < hosts->count; i++)
        smap_text_add(&text, "%s%s", i ? "," : "", hosts->names[i]);
    char *list = smap_text_take(&text);
    REQUIRE(list && smap_hostlist_parse(&again, list, NULL) == SMAP_OK);
    REQUIRE(again->count == hosts->count);
    for (size_t i = 0; i < hosts->count; i++)
        REQUIRE(strcmp(again->names[i], hosts->names[i]) == 0);
    smap_hostlist_destroy(again);
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct smap_error err = {""};
    struct smap_hostlist *hosts = NULL;
    if (too_large(text)) {
        free(text);
        return -1;
    }
    if (smap_hostlist_parse(&hosts, text, &err) == SMAP_OK) {
        REQUIRE(hosts->count > 0 && hosts->count <= SMAP_HOSTS_MAX);
        for (size_t i = 0; i < hosts->count; i++) {
            size_t length = strlen(hosts->names[i]);
            REQUIRE(length > 0 && length <= SMAP_HOST_NAME_MAX);
            REQUIRE(strpbrk(hosts->names[i], "[],") == NULL);
        }
        REQUIRE(smap_hostlist_find(hosts, hosts->names[0]) == 0);
        check_plain(hosts);
    } else {
        REQUIRE(hosts == NULL);
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_hostlist_destroy(hosts);
    free(text);
    return 0;
}
