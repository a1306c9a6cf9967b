/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every difference between Varnish 6.0 LTS (VRT 7), 7.x (14 to 21), 8.0 (22)
 * and 9.x (23), and Vinyl Cache, that this module meets.
 */
#ifndef VMOD_COMPAT_H
#define VMOD_COMPAT_H

#if VRT_MAJOR_VERSION < 7U
#error "Varnish 6.0.0 or newer is needed"
#endif

/* 6.0's vmodtool.py uses the name of an event function as it stands. */
#ifndef VPFX
#define VPFX(x)    vmod_##x
#define vmod_event event
#endif

/* ... and its enumerated values by another name. */
#ifndef VENUM
#define VENUM(x) vmod_enum_##x
#endif

/*
 * A header name as the http_* functions take it: a length byte, the name with
 * its colon, a NUL.  The bytes are the same in all versions, the type is not:
 * const char * up to 7.7, a pointer to a struct of that layout since.
 */
#if VRT_MAJOR_VERSION >= 22U
typedef hdr_t vk_hdr_t;
#else
typedef const char *vk_hdr_t;
#endif
#define VK_HDR(bytes) ((vk_hdr_t)(const void *)(bytes))

#endif
