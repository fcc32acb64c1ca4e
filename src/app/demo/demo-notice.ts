/** What a person who has just started the demo wants to know. Null: not there (any more), or not known. */
export interface DemoFacts {
  readonly baseUrl: string;
  /** Where mails are files; null when a mail server has them. */
  readonly mailDirectory: string | null;
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
  readonly install: { readonly ios: string | null; readonly android: string | null; readonly channel: string | null };
  /** A file to upload. */
  readonly nextApk: string;
}

/** For the terminal: every line of commands can be copied as it is. */
export function demoNotice(facts: DemoFacts): string {
  const { baseUrl, install, mailDirectory } = facts;
  return [
    '',
    'Agate is running. Open in a browser:',
    '',
    line('Install page, iOS', install.ios ?? 'the demo has no iOS build any more'),
    line('Install page, Android', install.android ?? 'the demo has no Android build any more'),
    line('Install page, channel', install.channel ?? 'the demo has no channel "Beta" any more'),
    line('API (Swagger UI)', `${baseUrl}/api/v1/docs`),
    line('Mails', mailDirectory ? `${mailDirectory}/*.eml` : 'go to the server of MAIL_URL'),
    '',
    ...login(facts),
    '',
    ...upload(facts),
    '',
    'Ctrl-C stops everything. The next start keeps all data.',
    '',
  ].join('\n');
}

function login({ baseUrl, email, password }: DemoFacts): string[] {
  const json = `-H 'Content-Type: application/json'`;
  if (password === null) {
    return [
      `Log in as ${email} with the password that you have set. Forgotten? A mail with a link:`,
      '',
      `  curl ${quote(`${baseUrl}/api/v1/developers/reset_password_request`)} ${json} -d ${quote(JSON.stringify({ email }))}`,
    ];
  }
  return [
    `Log in (${email}, password ${password}):`,
    '',
    `  curl ${quote(`${baseUrl}/api/v1/login/email`)} ${json} -d ${quote(JSON.stringify({ email, password }))}`,
  ];
}

function upload({ baseUrl, token, nextApk }: DemoFacts): string[] {
  if (token === null) return ['Upload a build: the demo token no longer works; make another in the Swagger UI.'];
  return [
    'Upload a new build, as CI would:',
    '',
    `  curl -H ${quote(`Authorization: Bearer ${token}`)} -F ${quote(`file=@"${escapeFormPath(nextApk)}"`)} -F ${quote('notes=Hello')} \\`,
    `    ${quote(`${baseUrl}/api/v1/builds`)}`,
  ];
}

const line = (name: string, value: string): string => `  ${name.padEnd(22)} ${value}`;

/** For a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Within double quotes, curl takes commas and semicolons as they are. */
const escapeFormPath = (path: string): string => path.replace(/[\\"]/g, '\\$&');
