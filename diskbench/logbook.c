/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/logbook.h"

#include <inttypes.h>
#include <limits.h>
#include <syslog.h>

#include "diskbench/legible.h"

void
bench_logbook_write(const struct bench_target *t)
{
	const struct bench_identity *id = &t->identity;
	char path[PATH_MAX], model[sizeof id->model], serial[sizeof id->serial];

	openlog("diskbench", LOG_PID, LOG_USER);
	syslog(LOG_NOTICE,
	    "writes to %s: %s, model \"%s\", serial \"%s\", wwid \"%s\", "
	    "%" PRIu64 " bytes, token %s",
	    bench_legible_copy(path, sizeof path, t->path),
	    id->name[0] != '\0' ? id->name : "a file",
	    bench_legible_copy(model, sizeof model, id->model),
	    bench_legible_copy(serial, sizeof serial, id->serial), id->wwid,
	    t->size, id->token);
	closelog();
}
