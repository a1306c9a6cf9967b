/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * User-Agent to a class of device, as vcl/device.vcl does it where there are
 * no client hints: the same order of the same questions, with its list of
 * robots cut to the words that need no regular expression.
 * Room: live/.  Pure.
 */
#ifndef LIVE_DEVICE_H
#define LIVE_DEVICE_H

#include "vary/field.h"

enum live_device {
	LIVE_DEVICE_DESKTOP = 0,
	LIVE_DEVICE_MOBILE,
	LIVE_DEVICE_TABLET,
	LIVE_DEVICE_BOT,
};

/* A span with .b NULL is a request without User-Agent. */
enum live_device live_device_of(struct vary_span user_agent);
const char *live_device_name(enum live_device);
#endif
