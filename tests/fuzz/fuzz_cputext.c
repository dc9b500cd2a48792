/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and masks of cpus, and lists of --cpu-bind. */
#include "base/cputext.h"
#include "fuzz.h"

typedef int reader(unsigned **cpus, size_t *count, const char *text, struct smap_error *err);

static void check_ascending(const unsigned cpus[], size_t count)
{
    REQUIRE(count > 0);
    for (size_t i = 0; i < count; i++)
        REQUIRE(cpus[i] < SMAP_CPUS_MAX && (i == 0 || cpus[i - 1] < cpus[i]));
}

static void check(reader *read, const char *text)
{
    struct smap_error err = {""};
    unsigned *cpus = NULL;
    size_t count = 0;
    if (read(&cpus, &count, text, &err) == SMAP_OK)
        check_ascending(cpus, count);
    else
        fuzz_check_error(err.text, sizeof(err.text));
    free(cpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct smap_error err = {""};
    struct smap_cpubind bind;
    check(smap_cpus_from_list, text);
    check(smap_cpus_from_mask, text);
    if (smap_cpubind_parse(&bind, text, &err) == SMAP_OK) {
        REQUIRE(bind.count > 0 && bind.count <= SMAP_CPUS_MAX);
        for (size_t i = 0; i < bind.count; i++)
            check_ascending(bind.cpus + bind.first[i], bind.first[i + 1] - bind.first[i]);
    } else {
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_cpubind_clear(&bind);
    free(text);
    return 0;
}
