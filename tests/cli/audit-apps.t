#!/bin/sh
# Applications, frameworks and CDNs as they answer, each with the verdict that it
# must get.  The origin plays them: tests/origin/apps.c.
. "$top_srcdir/tests/cli/lib-probe.sh"
command -v jq >/dev/null || skip_all "no jq"
start_origin

judged_as app/wordpress 1 'vary-leak cookie warning'
judged_as app/wordpress 1 'vary-partial cookie warning' -b wordpress_logged_in_5f=admin
judged_as app/woocommerce 1 'vary-missing cookie error' -b woocommerce_items_in_cart=2
judged_as app/magento 1 'vary-missing cookie error' -b X-Magento-Vary=9bf9a599
judged_as app/drupal 1 'vary-leak cookie warning'
judged_as app/typo3 0 ''
judged_as app/laravel 0 ''
judged_as app/django 1 'vary-partial cookie warning'
# Each visitor has a csrftoken of his own, which does nothing but not be set again.
is "app/django: it is not what a cache is to key on" \
    "$(jq -r '.targets[0].findings[0].fix | "\(.vcl) \(.origin | test("csrftoken|Indices"))"' "$work/out")" \
    "null false"
judged_as app/jsessionid 1 'vary-missing cookie error'
judged_as app/nextjs 1 'vary-leak next-router-state-tree warning, vary-presence rsc note'
judged_as app/turbo 1 'vary-missing turbo-frame error'
judged_as app/inertia 0 ''
judged_as app/pjax 1 'vary-inconsistent x-pjax error'
# Of two lines of Accept the origin reads the second one, too.
judged_as app/rails 0 'vary-hop accept note'
judged_as app/symfony 0 ''
judged_as app/spring 1 'vary-leak access-control-request-headers note, vary-leak access-control-request-method note, vary-leak origin warning'
judged_as app/cors-fixed 0 ''
judged_as app/cors-any 0 ''
judged_as app/avif 0 'vary-hop accept note'
judged_as app/webp-by-browser 1 'vary-missing user-agent error'
judged_as app/m-dot 1 'vary-missing user-agent error'
judged_as app/viewer 1 'vary-missing cloudfront-is-mobile-viewer error'
judged_as app/tracked 1 'vary-missing dnt error'
# Varnish stores no 302 of its own accord; Fastly does.
judged_as app/to-language 0 'vary-missing accept-language note'
judged_as app/to-language 1 'vary-missing accept-language error' --cache-profile fastly
judged_as app/to-language-for-a-minute 1 'vary-missing accept-language error'
judged_as app/country 1 'vary-missing cf-ipcountry error'
judged_as app/to-https 0 ''
judged_as app/forwarded-port 1 'vary-missing x-forwarded-port error'
judged_as app/forwarded-prefix 1 'vary-reflected x-forwarded-prefix error'
# What carries it is for nobody else, but by the response's own word.
judged_as app/public-api 1 'vary-missing accept-language error' -u a:b
judged_as app/moved 1 'vary-leak user-agent warning'
judged_as app/missing-page 1 'vary-leak user-agent warning'
judged_as app/gone 1 'vary-missing accept-language error'
judged_as app/maintenance 0 'interfered: status 503 for the plain request'
judged_as app/not-shared 0 'vary-missing user-agent note'
judged_as app/not-shared 1 'vary-missing user-agent error' --cache-profile browser
judged_as app/drift 0 ''
judged_as app/restless-head 0 ''
# These count requests: each has an origin of its own.
start_origin
judged_as app/warm-up 0 ''
start_origin
judged_as app/deploy 0 ''
start_origin
judged_as app/deploy-by-touch 1 'vary-missing user-agent error'
done_testing
