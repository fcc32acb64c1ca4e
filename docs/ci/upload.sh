#!/bin/sh
# Uploads a build to Agate and prints its install URL: sh upload.sh [--dotenv <file>] <build>
# Needs curl and jq, and AGATE_URL and AGATE_TOKEN. Any POSIX shell.
# Optional: AGATE_CHANNEL (name or id of a channel that gets the build), AGATE_NOTES, AGATE_BRANCH, AGATE_COMMIT, AGATE_CI_URL.
# --dotenv writes AGATE_BUILD_ID, AGATE_INSTALL_URL, AGATE_QR_URL, AGATE_VERSION and AGATE_BUILD_NUMBER for the next step.
# Exit codes: 0 uploaded, 1 defect, 2 usage, 3 refused, 4 not allowed, 5 not found, 6 no credit, 7 trying again can help.
set -eu

stop() {
  echo "error: $2" >&2
  exit "$1"
}

dotenv=
if [ "${1:-}" = --dotenv ] && [ $# -gt 1 ]; then
  dotenv=$2
  shift 2
fi
[ $# -eq 1 ] || stop 2 'Use: sh upload.sh [--dotenv <file>] <build>'
file=$1
[ -s "$file" ] || stop 2 "There is no file $file, or it is empty."
[ -n "${AGATE_URL:-}" ] || stop 2 'Set AGATE_URL to the address of the service.'
case $AGATE_URL in
  https://* | http://localhost | http://localhost[:/]* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://'[::1]'*) ;;
  *) stop 2 'AGATE_URL must begin with https://: over plain http others can read the token.' ;;
esac
[ -n "${AGATE_TOKEN:-}" ] || stop 2 'Set AGATE_TOKEN to a project access token.'
for program in curl jq; do
  command -v "$program" >/dev/null || stop 2 "Install $program."
done
[ -z "$dotenv" ] || true >"$dotenv" || stop 2 "The file $dotenv cannot be written."

response=$(mktemp)
trap 'rm -f "$response"' EXIT

# Sends a request to a path of the API. The token goes through standard input: arguments are visible to all users of the machine.
request() {
  path=$1
  shift
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$AGATE_TOKEN" |
    curl --config - --silent --show-error --retry 3 --output "$response" --write-out '%{http_code}' \
      "${AGATE_URL%/}/api/v1$path" "$@") || status=000
  case $status in
    2??) return ;;
    000) stop 7 "$AGATE_URL cannot be reached." ;;
    401 | 403) code=4 ;;
    402) code=6 ;;
    404 | 410) code=5 ;;
    408 | 429 | 503) code=7 ;;
    5??) code=1 ;;
    *) code=3 ;;
  esac
  stop "$code" "$(jq -r '.message // empty | gsub("\\p{Cc}"; " ")' "$response" 2>/dev/null || :) (status $status)"
}

# A channel is named by its name, or by its id.
channel=${AGATE_CHANNEL:-}
case $channel in
  '' | ????????-????-????-????-????????????) ;;
  *)
    request /channels --get --data limit=100
    name=$channel
    # Names that differ in case are those of different channels.
    channel=$(jq -r --arg name "$name" '[.items[] | select(.name == $name)] as $exact
      | [.items[] | select((.name | ascii_downcase) == ($name | ascii_downcase))] as $similar
      | if $exact != [] then $exact[0].id elif ($similar | length) > 1 then "several" else $similar[0].id // empty end' "$response")
    [ -n "$channel" ] || stop 5 "There is no channel \"$name\". Correct AGATE_CHANNEL."
    [ "$channel" != several ] || stop 2 "Several channels have the name \"$name\". Write AGATE_CHANNEL in the right case."
    ;;
esac

notes=${AGATE_NOTES:-$(git log -1 --format=%B 2>/dev/null || :)}
# The service rejects control characters, which commit messages may contain.
notes=$(jq -rn --arg notes "$notes" '$notes | gsub("(?![\\n\\t])\\p{Cc}"; "") | .[:5000]')
commit=${AGATE_COMMIT:-$(git rev-parse HEAD 2>/dev/null || :)}
branch=${AGATE_BRANCH:-${CI_BRANCH:-}}
ci_url=${AGATE_CI_URL:-${CI_URL:-}}
key=$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)

# curl reads quotes and backslashes in the name of a file.
quoted=$(printf %s "$file" | sed 's/[\\"]/\\&/g')
set -- --header "Idempotency-Key: $key" --form "file=@\"$quoted\""
if [ -n "$notes" ]; then set -- "$@" --form-string "notes=$notes"; fi
if [ -n "$commit" ]; then set -- "$@" --form-string "commit=$commit"; fi
if [ -n "$branch" ]; then set -- "$@" --form-string "branch=$branch"; fi
if [ -n "$ci_url" ]; then set -- "$@" --form-string "ci_url=$ci_url"; fi
if [ -n "$channel" ]; then set -- "$@" --form-string "channel_id=$channel"; fi
request /builds "$@"

jq -r '.warnings[] | "warning: " + (.message | gsub("[\\s\\p{Cc}]+"; " ") | gsub("##"; "# #"))' "$response" >&2
if [ -n "$dotenv" ]; then
  # Characters that a shell would interpret are replaced, because pipelines read the file with it.
  jq -r '{AGATE_BUILD_ID: .id, AGATE_INSTALL_URL: .install_url, AGATE_QR_URL: .qr_url, AGATE_VERSION: .version,
    AGATE_BUILD_NUMBER: .build_number} | to_entries[] | select(.value != null and .value != "")
    | "\(.key)=\(.value | tostring | gsub("[^A-Za-z0-9._~:/?=%+,@-]"; "_"))"' "$response" >"$dotenv"
fi
jq -r '.install_url // .id' "$response"
