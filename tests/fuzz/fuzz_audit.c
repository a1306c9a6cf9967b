/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of audits as varylive reads them: a verdict for any host and name. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#include "live/audit.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct live_audit *a = NULL;
	char text[256] = "";
	FILE *f;

	if (len == 0)
		return (0);
	f = fmemopen((void *)(uintptr_t)data, len, "r");
	if (f == NULL)
		return (0);
	if (live_audit_read(&a, f, text, sizeof text) == 0) {
		assert(live_audit_targets(a) > 0);
		/* A host's verdict is one of those of all hosts. */
		assert(live_audit_verdict(a, "www.example.com", "Cookie") <=
		       live_audit_verdict(a, NULL, "Cookie"));
		assert(
		    live_audit_verdict(a, "a.example:80", "") <= LIVE_UNSAFE);
	} else {
		assert(a == NULL && text[0] != '\0');
	}
	live_audit_close(&a);
	(void)fclose(f);
	return (0);
}
