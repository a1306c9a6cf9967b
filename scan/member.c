/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judge.h"

#include <string.h>
#include <strings.h>

#include "vary/field.h"

enum scan_member_class
scan_member_class(const char *member)
{
	static const struct {
		const char *name;
		enum scan_member_class class;
	} known[] = {
		{ "*", SCAN_MEMBER_STAR },
		{ "Host", SCAN_MEMBER_KEY },
		{ "User-Agent", SCAN_MEMBER_COSTLY },
		{ "Cookie", SCAN_MEMBER_COSTLY },
		{ "Referer", SCAN_MEMBER_COSTLY },
		{ "X-Forwarded-For", SCAN_MEMBER_COSTLY },
		{ "X-Real-IP", SCAN_MEMBER_COSTLY },
		{ "Forwarded", SCAN_MEMBER_COSTLY },
		{ "Authorization", SCAN_MEMBER_PRIVATE },
		{ "X-XSRF-Token", SCAN_MEMBER_PRIVATE },
		{ "X-CSRF-Token", SCAN_MEMBER_PRIVATE },
		{ "Content-Encoding", SCAN_MEMBER_RESPONSE },
		{ "Content-Type", SCAN_MEMBER_RESPONSE },
		{ "Content-Language", SCAN_MEMBER_RESPONSE },
		{ "Content-Length", SCAN_MEMBER_RESPONSE },
		{ "Set-Cookie", SCAN_MEMBER_RESPONSE },
		{ "ETag", SCAN_MEMBER_RESPONSE },
		{ "Last-Modified", SCAN_MEMBER_RESPONSE },
		{ "Location", SCAN_MEMBER_RESPONSE },
		{ "Server", SCAN_MEMBER_RESPONSE },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(known[i].name, member) == 0)
			return (known[i].class);
	if (!vary_is_token(member, strlen(member)) && *member != '(')
		return (SCAN_MEMBER_BAD);
	return (SCAN_MEMBER_FINE);
}
