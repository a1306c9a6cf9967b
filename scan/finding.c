/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/finding.h"

const char *
scan_when_name(enum scan_when w)
{
	switch (w) {
	case SCAN_ALWAYS: return ("always");
	case SCAN_HEADER_SENT: return ("header-sent");
	case SCAN_RULE_MATCHES: return ("rule-matches");
	case SCAN_ONLY_STATUS: return ("only-status");
	case SCAN_POSSIBLE: break;
	}
	return ("possible");
}

const char *
scan_level_name(enum scan_level l)
{
	switch (l) {
	case SCAN_NOTE: return ("note");
	case SCAN_WARNING: return ("warning");
	case SCAN_ERROR: break;
	}
	return ("error");
}

const char *
scan_era_name(enum scan_era e)
{
	switch (e) {
	case SCAN_E1: return ("E1");
	case SCAN_E2: return ("E2");
	case SCAN_E3: return ("E3");
	case SCAN_ERAS: break;
	}
	return ("all");
}

const char *
scan_server_name(enum scan_server s)
{
	switch (s) {
	case SCAN_SERVER_APACHE: return ("Apache");
	case SCAN_SERVER_LITESPEED: return ("LiteSpeed");
	case SCAN_SERVER_NGINX: break;
	}
	return ("nginx");
}

const char *
scan_eras_text(unsigned eras)
{
	switch (eras & SCAN_ERAS) {
	case SCAN_E1: return ("Apache up to 2.4.28");
	case SCAN_E2: return ("Apache 2.4.29");
	case SCAN_E3: return ("Apache 2.4.30 and later");
	case SCAN_E1 | SCAN_E2: return ("Apache up to 2.4.29");
	case SCAN_E2 | SCAN_E3: return ("Apache 2.4.29 and later");
	case SCAN_E1 | SCAN_E3:
		return ("Apache up to 2.4.28, and 2.4.30 and later");
	default: return ("every Apache");
	}
}
