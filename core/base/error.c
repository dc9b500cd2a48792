/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int smap_fail(struct smap_error *err, enum smap_status code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof(err->text), format, args);
        va_end(args);
    }
    return code;
}

int smap_nomem(struct smap_error *err)
{
    return smap_fail(err, SMAP_ENOMEM, "out of memory");
}
