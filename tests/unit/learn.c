/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of availability hints, with a clock of the test's own.  What it needs
 * of varnishd is a struct http; the functions of core that it names and that are
 * not called here end the test.
 */
#include "tests/unit/unit.h"
#include "tests/unit/varnish.h"

#include "vmod/compat.h"
#include "vmod/headers.h"
#include "vmod/learn.h"

#if VRT_MAJOR_VERSION >= 22U
hdr_t H_Host;
#else
char H_Host[] = "\5Host:";
#endif

int
http_GetHdr(const struct http *hp, vk_hdr_t name, const char **ret)
{
	(void)hp;
	(void)name;
	(void)ret;
	abort();
}

void
http_Unset(struct http *hp, vk_hdr_t name)
{
	(void)hp;
	(void)name;
	abort();
}

void
http_SetHeader(struct http *hp, const char *line)
{
	(void)hp;
	(void)line;
	abort();
}

void
http_SetH(struct http *hp, unsigned n, const char *line)
{
	(void)hp;
	(void)n;
	(void)line;
	abort();
}

void
VSLbt(struct vsl_log *vsl, enum VSL_tag_e tag, txt t)
{
	(void)vsl;
	(void)tag;
	(void)t;
	abort();
}

void *
WS_Alloc(struct ws *ws, unsigned bytes)
{
	(void)ws;
	(void)bytes;
	abort();
}

#define LINES 8
struct response {
	struct http http;
	txt hd[HTTP_HDR_FIRST + LINES];
};

/* The lines up to a NULL; they are borrowed. */
static void
response_init(struct response *r, const char *const *line)
{
	unsigned u;

	memset(r, 0, sizeof *r);
	r->http.magic = HTTP_MAGIC;
	r->http.hd = r->hd;
	r->http.shd = HTTP_HDR_FIRST + LINES;
	for (u = HTTP_HDR_FIRST; *line != NULL; u++, line++) {
		assert_true(u < r->http.shd);
		r->hd[u].b = *line;
		r->hd[u].e = *line + strlen(*line);
	}
	r->http.nhd = (uint16_t)u;
}

static struct learn_key
key(const char *text)
{
	struct learn_key k;

	k.len = strlen(text);
	assert_true(k.len <= sizeof k.b);
	memcpy(k.b, text, k.len);
	return (k);
}

static unsigned
learn(struct learn *l, const char *folder, double now, const char *const *line)
{
	struct learn_key k = key(folder);
	struct response r;

	response_init(&r, line);
	return (learn_response(l, &k, now, &r.http, NULL));
}

/* The words of the languages learned, each with a comma, or how it is none. */
static const char *
languages(struct learn *l, const char *folder, double now, char ret[1024])
{
	struct vary_avail a[VARY_AVAIL_AXES], *lang = &a[VARY_AVAIL_LANGUAGE];
	struct learn_key k = key(folder);

	if (!learn_look_up(l, &k, now, a))
		return ("nothing");
	if (lang->state == VARY_AVAIL_OFF)
		return ("off");
	if (lang->state == VARY_AVAIL_UNKNOWN)
		return ("unknown");
	memcpy(ret, lang->text, lang->len);
	ret[lang->len] = '\0';
	return (ret);
}

static void
what_was_learned_is_forgotten_after_an_hour(void **state)
{
	static const char *const two[] = { "Avail-Language: fr, en", NULL };
	static const char *const one[] = { "Avail-Language: de", NULL };
	const double born = 1e9;
	struct learn *l;
	char b[1024];

	(void)state;
	learn_open(&l);
	assert_string_equal(languages(l, "a/", born, b), "nothing");
	assert_int_equal(learn(l, "a/", born, two), 1U << VARY_AVAIL_LANGUAGE);
	assert_string_equal(languages(l, "a/", born, b), "fr,en,");
	/* To be told once more what is known makes it no younger. */
	assert_int_equal(learn(l, "a/", born + 1800, two), 0);
	assert_string_equal(languages(l, "a/", born + 3600, b), "fr,en,");
	assert_string_equal(languages(l, "a/", born + 3600.5, b), "nothing");
	/* Learned anew, from nothing. */
	assert_int_equal(
	    learn(l, "a/", born + 3601, one), 1U << VARY_AVAIL_LANGUAGE);
	assert_string_equal(languages(l, "a/", born + 3601, b), "de,");
	assert_string_equal(languages(l, "a/", born + 7201, b), "de,");
	assert_string_equal(languages(l, "a/", born + 7202, b), "nothing");
	learn_close(&l);
	assert_null(l);
}

static void
an_hour_ends_what_was_off_as_well(void **state)
{
	static const char *const bad[] = { "Avail-Language: fr en", NULL };
	static const char *const good[] = { "Avail-Language: fr", NULL };
	struct learn *l;
	char b[1024];

	(void)state;
	learn_open(&l);
	(void)learn(l, "a/", 1e9, bad);
	(void)learn(l, "a/", 1e9 + 10, good);
	assert_string_equal(languages(l, "a/", 1e9 + 10, b), "off");
	(void)learn(l, "a/", 1e9 + 3601, good);
	assert_string_equal(languages(l, "a/", 1e9 + 3601, b), "fr,");
	learn_close(&l);
}

static void
several_lines_of_a_hint_are_one_list(void **state)
{
	static char most[LEARN_LINES_MAX + 16], more[LEARN_LINES_MAX + 17];
	static const struct {
		const char *line[5], *out;
	} t[] = {
		{ { "Avail-Language: fr, en;d", "avail-language:de" },
		    "fr,en,de," },
		{ { "Avail-Language: fr", "X-Other: x", "Avail-Language: en",
		      "AVAIL-LANGUAGE: fr, it" },
		    "fr,en,it," },
		/* No member is empty, no list ends with a comma. */
		{ { "Avail-Language: fr", "Avail-Language:" }, "off" },
		{ { "Avail-Language:", "Avail-Language: fr" }, "off" },
		{ { "Avail-Language: fr,", "Avail-Language: en" }, "off" },
		{ { "Avail-Language: fr", "Avail-Language: ?" }, "off" },
		/* "A single member": over all lines. */
		{ { "Avail-Language: fr;d", "Avail-Language: en;d" }, "off" },
		/* With ", en" to the limit, and a byte over it. */
		{ { most, "Avail-Language: en" }, "fr,en," },
		{ { more, "Avail-Language: en" }, "off" },
	};
	static const char name[] = "Avail-Language: ", head[] = "fr;x=a";
	struct learn *l;
	char b[1024];
	size_t u;

	(void)state;
	snprintf(most, sizeof most, "%s%s%0*d", name, head,
	    (int)(LEARN_LINES_MAX - strlen(", en") - strlen(head)), 0);
	snprintf(more, sizeof more, "%s0", most);
	for (u = 0; u < sizeof t / sizeof *t; u++) {
		learn_open(&l);
		(void)learn(l, "a/", 1e9, t[u].line);
		assert_string_equal(languages(l, "a/", 1e9, b), t[u].out);
		learn_close(&l);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_learned_is_forgotten_after_an_hour),
		cmocka_unit_test(an_hour_ends_what_was_off_as_well),
		cmocka_unit_test(several_lines_of_a_hint_are_one_list),
	};

	return (cmocka_run_group_tests_name("learn", tests, NULL, NULL));
}
