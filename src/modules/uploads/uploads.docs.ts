import { type ControllerDocs } from '#infra/http/describe';

export const UPLOADS_DOCS = {
  create: {
    description: `Use it in CI after each build. For files above some hundred megabytes, or on unreliable networks, use \`POST /builds/uploads\`.

The parts may come in any order. Name, version, build number, icon and signing are read from \`.ipa\`, \`.apk\` and \`.aab\` files; other files need \`version\` and \`platform\`. The response has the install link of the build, which testers can open at once, and \`warnings\` about what will fail on a device.

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
