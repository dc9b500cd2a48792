/* SPDX-License-Identifier: BSD-3-Clause */
/* How the library says that something is wrong: a code to branch on and a text for people. */
#ifndef SMAP_ERROR_H
#define SMAP_ERROR_H

enum smap_status {
    SMAP_OK = 0,
    SMAP_EINVAL,  /* the input is wrong; the text says what would be right */
    SMAP_ENOTSUP, /* the input is well formed, but this method cannot serve it */
    SMAP_ENOMEM,
    SMAP_ESYS, /* the machine or a file refused; the text carries strerror */
};

/* One line without a trailing newline; long texts are cut, never overflowed. */
struct smap_error {
    char text[512];
};

/* Stores the formatted text in err (NULL is allowed) and returns code, so that
 * a refusal is one statement: return smap_fail(err, SMAP_EINVAL, "..."). */
__attribute__((format(printf, 3, 4))) int smap_fail(struct smap_error *err, enum smap_status code,
                                                    const char *format, ...);

int smap_nomem(struct smap_error *err);

#endif
