/** The text at the top of the document: what every operation has in common, with one command each. */
export const introduction = (baseUrl: string): string => `Agate distributes pre-release app builds to testers.

An **organization** owns **projects**. A **build** is an uploaded artifact of a project. A **release** is a build that was promoted
to a **channel**. **Testers** install from links and need no account.

# Authentication

| credential | for | starts with |
|---|---|---|
| access JWT | people, for ten minutes after a login | \`eyJ\` |
| project access token | CI: acts in one project, with a project role | \`ag_prj_\` |
| personal access token | scripts: acts for a developer in one organization, with scopes | \`ag_pat_\` |
| install link | testers: the token is a part of the path | |

Send the first three as \`Authorization: Bearer …\`. Browsers may use the cookies that a login sets instead. \`security\` and
\`x-access\` of an operation show which credentials it accepts, and the role or scope that it needs.

\`\`\`sh
curl ${baseUrl}/api/v1/login/email -H 'Content-Type: application/json' \\
  -d '{"email": "ann@example.com", "password": "correct horse battery staple"}'
\`\`\`

Refresh the pair with \`POST /api/v1/login/refresh\` when the JWT has expired. Each refresh token works once.

Parent ids are query parameters: \`organization_id\`, \`project_id\`, \`channel_id\`. Only a project access token may omit the first two,
because it is bound to both.

# Errors

Every 4xx and 5xx response has the body \`{error, message, details}\`. Match on \`error\`; it is one of a closed set of codes. \`message\` is
for people and may change. \`details.request_id\` is also the header \`X-Request-Id\` and is in the log of the service. Where one code has
several causes, \`details.reason\` distinguishes them. \`validation_error\` lists the wrong fields in \`details.fields\`.

\`\`\`sh
curl -i "${baseUrl}/api/v1/projects?organization_id=wrong" -H "Authorization: Bearer $TOKEN"
\`\`\`

Clients must accept fields and enum values in responses that they do not know. Unknown fields in a request are rejected.

# Paging

A list is \`{items, next_cursor}\`, newest first. Send \`next_cursor\` as \`cursor\` until it is null. \`limit\` is 100 by default and at most
1000. A cursor is valid for the list that returned it.

\`\`\`sh
curl "${baseUrl}/api/v1/builds?limit=50&cursor=$CURSOR" -H "Authorization: Bearer $TOKEN"
\`\`\`

# Idempotency

Operations that change something accept \`Idempotency-Key\`: a UUID of your choice, one per logical operation. After a timeout, a \`429\` or
a \`503\`, repeat the request with the same key. The change is made once, and the response is that of the first success, with
\`Idempotency-Replayed: true\`. It is kept for 24 hours. Only successful responses are kept: after an error, correct the request and send
it again with the same key. The same key with another path, query or body after a success is \`400 invalid_input\`, reason
\`idempotency_key_reused\`. Login, account and install-link operations take no key; their descriptions say what may be repeated.

\`\`\`sh
curl "${baseUrl}/api/v1/builds" -H "Authorization: Bearer $TOKEN" \\
  -H 'Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324' -F file=@Demo.ipa
\`\`\`

# Limits

Each route has its own limit of requests, counted for the developer, for the project of a project access token, or else for the client
address. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) are headers of every response. Above the limit the
response is \`429\`: wait for the seconds in \`Retry-After\`. \`503\` has this header, too.

\`\`\`sh
curl -sD - -o response.json "${baseUrl}/api/v1/builds/latest" -H "Authorization: Bearer $TOKEN" | grep -iE '^(ratelimit|retry-after)'
\`\`\`

A JSON body has at most 64 KiB. Uploads and downloads also need credit or room under the spend cap; otherwise they are \`402\`, and
nothing has changed. Quotas, such as the number of projects, are \`400 quota_exceeded\` with \`details.quota\` and \`details.limit\`.
`;
