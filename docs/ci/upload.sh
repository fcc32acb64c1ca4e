#!/bin/sh
# Uploads a build to Agate and prints its install URL: sh upload.sh <file>
# Needs AGATE_URL and AGATE_TOKEN. Optional: AGATE_CHANNEL (id of a channel to promote to), CI_BRANCH, CI_URL. Any POSIX shell.
set -eu
file=$1
key=$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)
response=$(mktemp)
trap 'rm -f "$response"' EXIT
set -- --form-string "notes=$(git log -1 --format=%B)" --form-string "commit=$(git rev-parse HEAD)"
if [ -n "${CI_BRANCH:-}" ]; then set -- "$@" --form-string "branch=$CI_BRANCH"; fi
if [ -n "${CI_URL:-}" ]; then set -- "$@" --form-string "ci_url=$CI_URL"; fi
if [ -n "${AGATE_CHANNEL:-}" ]; then set -- "$@" --form-string "channel_id=$AGATE_CHANNEL"; fi

if ! curl --silent --show-error --fail-with-body --retry 3 --output "$response" "$AGATE_URL/api/v1/builds" \
  --header "Authorization: Bearer $AGATE_TOKEN" --header "Idempotency-Key: $key" "$@" --form "file=@$file"; then
  cat "$response" >&2
  exit 1
fi
jq -r '.warnings[] | "warning: " + .message' "$response" >&2
jq -r .install_url "$response"
