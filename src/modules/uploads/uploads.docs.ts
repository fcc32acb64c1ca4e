import { type ControllerDocs } from '#infra/http/describe';

export const UPLOADS_DOCS = {
  create: {
    description: `Use it in CI after each build. For files above some hundred megabytes, or on unreliable networks, use \`POST /builds/uploads\`.

The parts may come in any order. Name, version, build number, icon and signing are read from \`.ipa\`, \`.apk\` and \`.aab\` files; other files need \`version\` and \`platform\`. The response has the install link of the build, which testers can open immediately, and \`warnings\` about what will fail on a device.

With \`channel_id\` the build is promoted in the same step, and the subscribers of the channel are mailed, unless \`notify\` is \`false\`. That needs the role \`MANAGE_RELEASES\` (a personal access token: the scope \`releases:write\`) and the plan \`business\`.

The cost of the upload is reserved first; without enough credit the response is \`402\`. A rejected file leaves nothing behind and costs nothing.

\`\`\`sh
curl "$AGATE/api/v1/builds" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $(uuidgen)" \\
  -F file=@Demo.ipa -F notes='Fixes the login on small screens.' -F branch=main
\`\`\``,
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key and file after a timeout, a `429` or a `503`: there will be one build. Without a key a repetition makes a second build, with the warning `duplicate_of`.',
  },
} satisfies ControllerDocs;

export const ATTACHMENT_UPLOADS_DOCS = {
  create: {
    description: `Use it after an upload, to add files that belong to the build: the \`.zip\` that the updater of a macOS app needs beside the \`.dmg\`, packages for other architectures, block maps for downloads of differences, symbols. For large files use \`POST /builds/uploads\` with \`build_id\` and \`kind\`.

The feeds of update keys contain attachments of the kind \`update\` immediately, also those of a build that is the current release of a channel. A build has at most 20 attachments, and each file name once: another file of the name is \`409 already_exists\`. The content is checked against kind and name (\`wrong_type\`, \`arch_mismatch\`); a block map has at most 4 MiB (\`blockmap_too_large\`).

Attachments are metered like artifacts, and deleted with the build.

\`\`\`sh
curl "$AGATE/api/v1/builds/$BUILD/attachments" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $(uuidgen)" \\
  -F kind=update -F file=@Demo-1.4.0-arm64-mac.zip
\`\`\``,
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key and file after a timeout, a `429` or a `503`: there will be one attachment. Without a key a repetition is `409 already_exists`.',
  },
} satisfies ControllerDocs;

export const RESUMABLE_UPLOADS_DOCS = {
  start:
    'Use it for large files, or on networks that break connections. It reserves the cost of the whole file and returns how to cut it: all parts have `part_size_bytes`, except the last. Then request URLs (`part-urls`), send the parts, and `complete`. The other fields are the text parts of `POST /builds`; with `build_id` and `kind` the file becomes an attachment of that build. An upload expires a day after its last use, and a week after its start. A project can have 100 open uploads by default. While only trial credit pays, all open uploads of an organization hold at most 20 GiB by default: above it the response is `400 quota_exceeded`, quota `open_upload_bytes`. Parts count as storage until the upload ends.',
  list: 'Use it to show which uploads were begun and not completed, and to continue or drop them. It lists the uploads of all members and tokens of the project. To continue one, you need the same file.',
  get: 'Use it after an interruption, to find out which parts have not arrived. It also tells whether the upload has become a build.',
  partUrls: {
    description:
      'Use it for the parts that you send next, at most 100 at a time. Each URL accepts one part by `PUT` for 30 minutes, and needs no other credential. With S3 and Azure the URLs lead directly to the store, unless `through` is `service`: then the service receives the parts and passes them on, which browsers need. If the reservation of the upload has expired, it is made again, so the response can be `402`. If the store no longer has the upload, it ends: `404`. Start a new one.',
    retry:
      'It can be repeated at any time, also for parts that were sent before: a part that is sent again replaces itself.',
  },
  put: {
    description:
      'The target of a URL of `part-urls` when the store does not accept parts directly, and of those with `through: service`. Do not build the URL yourself. The body is the bytes of the part and nothing else, of exactly the size that was announced. A wrong size is `400`. Too many parts of an organization at the same time are `429`.',
    retry:
      'Send the part again after any failure: it replaces itself. When the URL has expired, it is `404`: request a new one.',
  },
  complete: {
    description:
      'Use it when all parts were sent. It puts the artifact together, checks and inspects it, and makes the build, as `POST /builds` does, or adds the file to its build: then the response is that build with `attachment_id`. If parts are missing, the response is `400 invalid_input`, reason `parts_missing`, with their numbers in `details.missing_parts`: send them and complete again. An artifact that is rejected ends the upload and costs nothing.',
    retry: 'It can be repeated, also at the same time: every request gets the same build.',
  },
  drop: 'Use it to give up an upload. Its reservation is released and its parts are deleted. An upload that has become a build is `400 operation_not_allowed`: delete the build.',
} satisfies ControllerDocs;
