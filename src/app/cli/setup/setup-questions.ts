import { type Values } from './env-file';

/** A setting that the operator chooses: by a flag, by the environment, by the former file, or as the answer to a question. */
export interface SetupQuestion {
  readonly variable: string;
  /** The name of its flag, for example `base-url` for `--base-url`. */
  readonly flag: string;
  readonly question: string;
  readonly default: (answers: Values) => string;
  /** Whether the setting applies, given the answers before it. Otherwise it is left out. Default: always. */
  readonly applies?: (answers: Values) => boolean;
  /** False when only a flag sets it: no question is asked. */
  readonly asked?: false;
  /** The problem of an answer, as an imperative; null when it is acceptable. The whole configuration is validated later. */
  readonly problem?: (answer: string) => string | null;
}

const always = (text: string) => (): string => text;
const oneOf =
  (...words: readonly string[]) =>
  (answer: string): string | null =>
    words.includes(answer) ? null : `Use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`;
const required =
  (what: string) =>
  (answer: string): string | null =>
    answer === '' ? `Enter ${what}.` : null;

export const hostOf = ({ BASE_URL = '' }: Values): string => (URL.canParse(BASE_URL) ? new URL(BASE_URL).hostname : '');

const usesS3 = ({ STORAGE_PROVIDER }: Values): boolean => STORAGE_PROVIDER === 's3';
const usesAzure = ({ STORAGE_PROVIDER }: Values): boolean => STORAGE_PROVIDER === 'azure';

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

function signUpProblem(answer: string): string | null {
  const words = answer.split(',').map((word) => word.trim());
  const isPolicy = ['open', 'invited', 'closed'].includes(answer);
  return isPolicy || words.every((word) => DOMAIN.test(word))
    ? null
    : 'Use open, invited, closed, or e-mail domains such as example.com,example.org.';
}

function addressProblem(answer: string): string | null {
  const url = URL.canParse(answer) ? new URL(answer) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'Enter a URL such as https://agate.example.com.';
  return url.pathname === '/' && !url.search && !url.hash ? null : 'Leave out the path.';
}

/** In the order in which they are asked. A default may depend on earlier answers. */
export const QUESTIONS: readonly SetupQuestion[] = [
  {
    variable: 'BASE_URL',
    flag: 'base-url',
    question: 'Public address of the service',
    default: always('http://localhost:3000'),
    problem: addressProblem,
  },
  { variable: 'PORT', flag: 'port', question: 'Port to listen on', default: always('3000'), asked: false },
  {
    variable: 'DATA_DIR',
    flag: 'data-dir',
    question: 'Directory of the embedded defaults',
    default: always('./data'),
    asked: false,
  },
  {
    variable: 'DATABASE_URL',
    flag: 'database-url',
    question: 'PostgreSQL with the role of the service, as postgres://… (empty: an embedded one)',
    default: always(''),
  },
  {
    variable: 'DATABASE_OWNER_URL',
    flag: 'database-owner-url',
    question: 'The same database with the role that owns the schema (empty: one role for both)',
    default: always(''),
    applies: ({ DATABASE_URL }) => DATABASE_URL !== '',
  },
  {
    variable: 'MAIL_URL',
    flag: 'mail-url',
    question: 'Mail server, as smtp://user:password@host:587 (empty: mails are only written to files)',
    default: always(''),
  },
  {
    variable: 'MAIL_FROM',
    flag: 'mail-from',
    question: 'Sender of mails',
    default: (answers) => `Agate <agate@${hostOf(answers)}>`,
  },
  {
    variable: 'STORAGE_PROVIDER',
    flag: 'storage',
    question: 'Where artifacts are stored: local, s3 or azure',
    default: always('local'),
    problem: oneOf('local', 's3', 'azure'),
  },
  {
    variable: 'S3_ENDPOINT',
    flag: 's3-endpoint',
    question: 'URL of the S3-compatible store (empty: Amazon S3)',
    default: always(''),
    applies: usesS3,
  },
  { variable: 'S3_REGION', flag: 's3-region', question: 'Region', default: always('us-east-1'), applies: usesS3 },
  {
    variable: 'S3_BUCKET',
    flag: 's3-bucket',
    question: 'Bucket that only this service uses',
    default: always(''),
    applies: usesS3,
    problem: required('the name of the bucket'),
  },
  {
    variable: 'S3_ACCESS_KEY_ID',
    flag: 's3-access-key-id',
    question: 'Access key id',
    default: always(''),
    applies: usesS3,
    problem: required('the access key id'),
  },
  {
    variable: 'S3_SECRET_ACCESS_KEY',
    flag: 's3-secret-access-key',
    question: 'Secret access key',
    default: always(''),
    applies: usesS3,
    problem: required('the secret access key'),
  },
  {
    variable: 'AZURE_STORAGE_CONNECTION_STRING',
    flag: 'azure-connection-string',
    question: 'Connection string of the storage account, with its AccountKey',
    default: always(''),
    applies: usesAzure,
    problem: required('the connection string'),
  },
  {
    variable: 'AZURE_STORAGE_CONTAINER',
    flag: 'azure-container',
    question: 'Container that only this service uses',
    default: always(''),
    applies: usesAzure,
    problem: required('the name of the container'),
  },
  {
    variable: 'SIGN_UP',
    flag: 'sign-up',
    question: 'Who may sign up: open, invited, closed, or e-mail domains such as example.com',
    default: always('invited'),
    problem: signUpProblem,
  },
  {
    variable: 'BILLING',
    flag: 'billing',
    question: 'Billing: off (for your own people) or metered (organizations pay)',
    default: always('off'),
    problem: oneOf('off', 'metered'),
  },
  {
    variable: 'CAPTCHA_PROVIDER',
    flag: 'captcha',
    question: 'Protection of sign-up: altcha or none',
    default: always('altcha'),
    asked: false,
    problem: oneOf('altcha', 'none'),
  },
  {
    variable: 'TRUST_PROXY',
    flag: 'trust-proxy',
    question: 'Addresses or networks of reverse proxies',
    default: always('loopback'),
    asked: false,
  },
  {
    variable: 'STORE_HOST',
    flag: 'store-host',
    question: 'Host name of the store that docker/compose.yaml runs',
    default: (answers) => `store.${hostOf(answers)}`,
    asked: false,
  },
  {
    variable: 'ACME_EMAIL',
    flag: 'acme-email',
    question: 'E-mail address for the certificate authority',
    default: (answers) => `postmaster@${hostOf(answers)}`,
    asked: false,
  },
];
