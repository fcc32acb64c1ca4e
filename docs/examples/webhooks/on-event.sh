#!/bin/sh
# Runs for each webhook that Debian's `webhook` receives. Its own rule cannot check the signature, which covers the id and the time, too.
set -eu
reject() { echo "rejected: $1" >&2; exit 1; }
case "${WEBHOOK_TIMESTAMP:-}" in '' | *[!0-9]*) reject 'no time' ;; esac
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "${age#-}" -le 300 ] || reject 'too old'
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
expected=$(printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$WEBHOOK_BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in *" v1,$expected "*) ;; *) reject 'wrong signature' ;; esac

# Verified. For example:
printf '%s %s\n' "$WEBHOOK_ID" "$(printf %s "$WEBHOOK_BODY" | jq -r .type)" >>"${EVENTS_FILE:-/var/log/agate-events}"
