import { packageAddress } from '../command-line/serve-command-line';

/** The facts that the notice shows. Null for what does not exist or is not known. */
export interface DemoFacts {
  readonly baseUrl: string;
  readonly servesDashboard: boolean;
  /** The directory of mails as files; null when a mail server sends them. */
  readonly mailDirectory: string | null;
  readonly email: string;
  readonly password: string | null;
  readonly token: string | null;
  readonly install: { readonly ios: string | null; readonly android: string | null; readonly channel: string | null };
  /** Path of the file that the notice suggests to upload. */
  readonly nextApk: string;
}

/** The text for the terminal. Its commands can be copied unchanged. */
export function demoNotice(facts: DemoFacts): string {
  const { baseUrl, install, mailDirectory } = facts;
  return [
    '',
    'Agate is running. Open in a browser:',
    '',
    ...dashboard(facts),
    line('Install page, iOS', install.ios ?? 'none, the demo has no iOS build'),
    line('Install page, Android', install.android ?? 'none, the demo has no Android build'),
    line('Install page, channel', install.channel ?? 'none, the demo has no channel "Beta"'),
    line('API (Swagger UI)', `${baseUrl}/api/v1/docs`),
    line('Mails', mailDirectory ? `${mailDirectory}/*.eml` : 'sent to the server of MAIL_URL'),
    '',
    ...login(facts),
    '',
    ...upload(facts),
    '',
    'Ctrl-C stops everything. The next start keeps all data.',
    '',
  ].join('\n');
}

/** The dashboard's address with a login. */
function dashboard({ servesDashboard, baseUrl, email, password }: DemoFacts): string[] {
  if (!servesDashboard) return [];
  const credentials = password === null ? email : `${email}, password ${password}`;
  return [line('Dashboard', baseUrl), line('', `Log in as ${credentials}`), ''];
}

function login({ baseUrl, email, password }: DemoFacts): string[] {
  const json = `-H 'Content-Type: application/json'`;
  if (password === null) {
    return [
      `Log in as ${email} with the password that you have set. To reset it by mail:`,
      '',
      `  curl ${quote(`${baseUrl}/api/v1/developers/reset_password_request`)} ${json} -d ${quote(JSON.stringify({ email }))}`,
    ];
  }
  return [
    `Log in to the API (${email}, password ${password}):`,
    '',
    `  curl ${quote(`${baseUrl}/api/v1/login/email`)} ${json} -d ${quote(JSON.stringify({ email, password }))}`,
  ];
}

function upload({ baseUrl, token, nextApk }: DemoFacts): string[] {
  if (token === null) return ['Upload a build: the demo token no longer works. Create another one in the Swagger UI.'];
  return [
    'Upload a new build, as CI would:',
    '',
    `  curl -H ${quote(`Authorization: Bearer ${token}`)} -F ${quote(`file=@"${escapeFormPath(nextApk)}"`)} -F ${quote('notes=Hello')} \\`,
    `    ${quote(`${baseUrl}/api/v1/builds`)}`,
    '',
    'The same by the command line (Node.js 20 or newer):',
    '',
    `  AGATE_URL=${quote(baseUrl)} AGATE_TOKEN=${quote(token)} npx -y ${quote(packageAddress(baseUrl))} upload ${quote(nextApk)}`,
  ];
}

const line = (name: string, value: string): string => `  ${name.padEnd(22)} ${value}`;

/** Quotes a word for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Escapes a path within double quotes, where curl does not interpret commas and semicolons. */
const escapeFormPath = (path: string): string => path.replace(/[\\"]/g, '\\$&');
