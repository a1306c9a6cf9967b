/* SPDX-License-Identifier: BSD-2-Clause */
/* The drives that there are, and one of them: for people, and as JSON. */
#include "diskbench/report_list.h"

#include <errno.h>
#include <inttypes.h>

#include "diskbench/legible.h"
#include "diskbench/magnitude.h"
#include "diskbench/report.h"

/* For a terminal: whose names these are nobody knows. */
static void
legible_identity(struct bench_identity *id)
{
	bench_legible(id->path);
	bench_legible(id->model);
	bench_legible(id->serial);
	bench_legible(id->wwid);
	bench_legible(id->firmware);
	bench_legible(id->backing);
	bench_legible(id->held_by);
	bench_legible(id->contents);
}

int
bench_report_list_text(FILE *f, const struct bench_identity *all, unsigned n)
{
	struct bench_identity shown, *id = &shown;
	char a[32];
	unsigned i;

	(void)fprintf(f, "%-14s %9s %-8s %-24s %-20s %-12s %s\n", "DEVICE",
	    "SIZE", "KIND", "MODEL", "SERIAL", "TOKEN", "IN USE BY");
	for (i = 0; i < n; i++) {
		shown = all[i];
		legible_identity(&shown);
		(void)fprintf(f, "%-14s %9s %-8s %-24s %-20s %-12s %s\n",
		    id->path, bench_bytes(a, sizeof a, (double)id->size, false),
		    id->transport[0] != '\0' ? id->transport : "-",
		    id->model[0] != '\0'     ? id->model
		    : id->backing[0] != '\0' ? id->backing
					     : "-",
		    id->serial[0] != '\0' ? id->serial : "-",
		    id->token[0] != '\0' ? id->token : "-",
		    id->held_by[0] != '\0' ? id->held_by : "-");
	}
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

static void
fact(FILE *f, const char *name, const char *value)
{
	if (value[0] != '\0')
		(void)fprintf(f, "%-10s %s\n", name, value);
}

int
bench_report_identity_text(FILE *f, const struct bench_identity *of)
{
	struct bench_identity shown = *of, *id = &shown;
	char a[32], b[32], word[4 * sizeof shown.path + 3];

	legible_identity(&shown);
	bench_shell_word(word, sizeof word, id->path);
	(void)fprintf(f, "%s: a %s of %s (%" PRIu64 " bytes)\n", id->path,
	    !id->is_disk    ? "file"
	    : id->partition ? "partition"
			    : "drive",
	    bench_bytes(a, sizeof a, (double)id->size, false), id->size);
	fact(f, "model", id->model);
	fact(f, "serial", id->serial);
	fact(f, "wwid", id->wwid);
	fact(f, "firmware", id->firmware);
	fact(f, "transport", id->transport);
	fact(f, "stands on", id->backing);
	fact(f, "filesystem", id->fstype);
	(void)snprintf(
	    b, sizeof b, "%u logical, %u physical", id->logical, id->physical);
	fact(f, "sectors", b);
	fact(f, "in use", id->held_by[0] != '\0' ? id->held_by : "no");
	fact(f, "contents",
	    id->contents[0] != '\0' ? id->contents
				    : "empty, as far as looked at");
	fact(f, "protected", id->read_only ? "yes" : "no");
	fact(f, "token", id->token);
	(void)fprintf(f,
	    "\nA run that writes destroys what is on it:\n"
	    "    diskbench run --rw randwrite --write %s%s %s\n",
	    id->token, id->contents[0] != '\0' ? " --overwrite-data" : "",
	    word);
	if (id->held_by[0] != '\0')
		(void)fputs(
		    "It is in use, and is refused as long as it is.\n", f);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

json_t *
bench_report_identity(const struct bench_identity *id)
{
	json_t *o = json_object();

	bench_record_set_text(o, "path", id->path);
	bench_record_set_text(o, "name", id->name);
	bench_record_set(o, "kind",
	    bench_record_string(
		id->is_disk ? id->partition ? "partition" : "disk" : "file"));
	bench_record_set_text(o, "model", id->model);
	bench_record_set_text(o, "serial", id->serial);
	bench_record_set_text(o, "wwid", id->wwid);
	bench_record_set_text(o, "firmware", id->firmware);
	bench_record_set_text(o, "transport", id->transport);
	bench_record_set_text(o, "backing", id->backing);
	bench_record_set_text(o, "filesystem", id->fstype);
	bench_record_set(o, "size", bench_record_integer(id->size));
	bench_record_set(
	    o, "logical_block_size", bench_record_integer(id->logical));
	bench_record_set(
	    o, "physical_block_size", bench_record_integer(id->physical));
	bench_record_set(o, "read_only", json_boolean(id->read_only));
	bench_record_set(o, "removable", json_boolean(id->removable));
	bench_record_set(o, "rotational", json_boolean(id->rotational));
	bench_record_set_text(o, "scheduler", id->scheduler);
	bench_record_set_text(o, "write_cache", id->write_cache);
	bench_record_set(o, "diskseq",
	    id->diskseq > 0 ? bench_record_integer(id->diskseq) : json_null());
	bench_record_set(o, "temperature_c",
	    id->temperature_mc > 0
		? bench_record_finite(id->temperature_mc / 1000.0)
		: json_null());
	bench_record_set_text(o, "in_use_by", id->held_by);
	bench_record_set_text(o, "contents", id->contents);
	bench_record_set_text(o, "token", id->token);
	return (o);
}

int
bench_report_list_json(FILE *f, const struct bench_identity *id, unsigned n)
{
	json_t *o = json_object(), *a = json_array();
	unsigned i;

	bench_record_set(
	    o, "schema", bench_record_string("varykit.diskbench.list/1"));
	for (i = 0; i < n; i++)
		(void)json_array_append_new(a, bench_report_identity(&id[i]));
	bench_record_set(o, "devices", a);
	return (bench_record_print(f, o));
}
