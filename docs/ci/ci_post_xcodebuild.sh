#!/bin/sh
# Uploads the app that Xcode Cloud archived: copy it, with upload.sh, to the folder ci_scripts beside the Xcode project.
# The workflow needs the variables AGATE_URL and AGATE_TOKEN, and an archive for ad hoc distribution.
set -eu
[ "${CI_XCODEBUILD_ACTION:-}" = archive ] || exit 0
if [ "${CI_XCODEBUILD_EXIT_CODE:-0}" != 0 ]; then
  echo 'The archive failed. Nothing is uploaded.'
  exit 0
fi

folder=${CI_AD_HOC_SIGNED_APP_PATH:-${CI_DEVELOPMENT_SIGNED_APP_PATH:-}}
set -- "$folder"/*.ipa
if [ -z "$folder" ] || [ ! -f "$1" ]; then
  echo 'error: There is no .ipa. Prepare the archive of this workflow for ad hoc distribution.' >&2
  exit 1
fi

command -v jq >/dev/null || brew install jq
AGATE_BRANCH=${CI_PULL_REQUEST_SOURCE_BRANCH:-${CI_BRANCH:-}}
AGATE_COMMIT=${CI_PULL_REQUEST_SOURCE_COMMIT:-${CI_COMMIT:-}}
AGATE_CI_URL=${CI_BUILD_URL:-}
export AGATE_BRANCH AGATE_COMMIT AGATE_CI_URL
sh "$(dirname "$0")/upload.sh" "$1"
