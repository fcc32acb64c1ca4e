import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { type Config, type Environment, loadConfig, processEnvironment } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { formatError, UsageError } from '../format-error';
import { type Console } from '../operator-program';
import { type EnvSection, readEnvFile, type Values, writeEnvFile } from './env-file';
import { runSetupChecks, type SetupCheck } from './setup-checks';
import { hostOf, QUESTIONS, type SetupQuestion } from './setup-questions';
import { prepareSecrets, type SetupSecrets, withKeyFiles, writeKeyFiles } from './setup-secrets';

type Options = Readonly<Record<string, string | boolean | undefined>>;

const [SUCCESS, FAILURE, USAGE] = [0, 1, 2];
const COMPOSE_FILE = 'docker/compose.yaml';

/**
 * `setup`: asks for the settings of an installation, makes its secrets, checks what it was given, and writes one file of environment
 * variables with which `npm start` and `docker compose up` start the service. Needs no database.
 * @param environment variables whose values are proposed, so that secrets need not be flags, which other users of the machine can read.
 * @returns the exit status.
 */
export async function runSetup(
  words: readonly string[],
  io: Console,
  environment: Environment = processEnvironment(),
): Promise<number> {
  const command = declareSetup(io);
  try {
    command.parse([...words], { from: 'user' });
    return await setUp(command.opts<Options>(), io, environment);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : USAGE;
    io.err(formatError(error, { asJson: false }));
    return error instanceof UsageError ? USAGE : FAILURE;
  }
}

/** Declares the flags. */
function declareSetup(io: Console): Command {
  const command = new Command('npm run operator -- setup');
  command.description(
    'Ask for the settings of an installation, check them, and write them with new secrets to one .env',
  );
  for (const { flag, question } of QUESTIONS) command.option(`--${flag} <value>`, question);
  command
    .option('--file <path>', 'the file to write', '.env')
    .option('--yes', 'ask nothing: use the flags, the environment, the existing file, and defaults')
    .option('--overwrite', 'replace an existing file; its secrets are kept')
    .option('--ignore-failures', 'write the file although a check failed');
  return command.showHelpAfterError().exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
}

async function setUp(options: Options, io: Console, environment: Environment): Promise<number> {
  const path = resolve(String(options['file']));
  const former = readEnvFile(path);
  if (former && !(await mayOverwrite(path, options, io))) return USAGE;
  const answers = await answersTo(options, { ...former, ...present(environment) }, io);
  const folder = join(dirname(path), 'secrets');
  const secrets = prepareSecrets(folder, answers, former ?? {});
  const sections = sectionsOf(answers, secrets, former ?? {}, path);
  const config = validated(sections, secrets);
  const checks = await runSetupChecks(config);
  for (const { name, describe, problem } of checks) {
    io.err(`${problem === null ? 'ok     ' : 'FAILED '} ${name}: ${problem ?? describe}\n`);
  }
  if (!(await mayWrite(checks, options, io))) {
    io.err(`${path} was not written.\n`);
    return FAILURE;
  }
  writeKeyFiles(folder, secrets.files);
  writeEnvFile(path, sections);
  io.out(summaryOf(path, answers));
  return SUCCESS;
}

async function mayOverwrite(path: string, { yes, overwrite }: Options, io: Console): Promise<boolean> {
  if (overwrite) return true;
  const question = `${path} exists. Replace it? Its secrets are kept. [y/N] `;
  const answer = yes ? null : io.ask(question);
  if (answer === null) throw new UsageError(`${path} exists and was not changed. Use --overwrite to replace it.`);
  return isYes(await answer);
}

async function mayWrite(checks: readonly SetupCheck[], options: Options, io: Console): Promise<boolean> {
  if (options['ignoreFailures'] || checks.every(({ problem }) => problem === null)) return true;
  const answer = options['yes'] ? null : io.ask('Write the file nevertheless? [y/N] ');
  return answer !== null && isYes(await answer);
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());

/** One answer per setting that applies. A flag is used as it is; a proposed value is the default of a question. */
async function answersTo(options: Options, proposals: Values, io: Console): Promise<Values> {
  const answers: Record<string, string> = {};
  for (const question of QUESTIONS) {
    const { variable, flag, asked = true } = question;
    if (!applies(question, answers)) continue;
    const given = options[camelCase(flag)];
    const proposed = String(given ?? proposals[variable] ?? question.default(answers)).trim();
    const isAsked = given === undefined && asked && !options['yes'];
    const answer = isAsked ? await ask(question, proposed, io) : proposed;
    const problem = question.problem?.(answer) ?? null;
    if (problem !== null) throw new UsageError(`--${flag}: ${problem}`);
    answers[variable] = answer;
  }
  return answers;
}

const applies = (question: SetupQuestion, answers: Values): boolean => question.applies?.(answers) ?? true;

const present = (environment: Environment): Values =>
  Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Repeats the question until the answer is acceptable. */
async function ask({ question, problem }: SetupQuestion, proposed: string, io: Console): Promise<string> {
  for (;;) {
    const answer = io.ask(`${question}${proposed === '' ? '' : ` [${proposed}]`}: `);
    if (answer === null) throw new UsageError('Setup asks questions on a terminal. Use --yes to set it up with flags.');
    const text = (await answer).trim() || proposed;
    const wrong = problem?.(text) ?? null;
    if (wrong === null) return text;
    io.err(`${wrong}\n`);
  }
}

const camelCase = (flag: string): string => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function sectionsOf(answers: Values, { service, compose }: SetupSecrets, former: Values, path: string): EnvSection[] {
  const pick = (...names: readonly string[]): Values =>
    Object.fromEntries(names.flatMap((name) => (answers[name] === undefined ? [] : [[name, answers[name]]])));
  const { S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '', ...ofCompose } = compose;
  const root = dirname(path);
  const sections: EnvSection[] = [
    {
      comment: 'Written by "npm run operator -- setup". Keep a copy of it and of secrets/, apart from the backups.',
      values: { NODE_ENV: 'production', ...pick('BASE_URL', 'PORT', 'TRUST_PROXY') },
    },
    {
      comment: 'Database. Without a URL: an embedded PostgreSQL in DATA_DIR.',
      values: pick('DATA_DIR', 'DATABASE_URL', 'DATABASE_OWNER_URL'),
    },
    { comment: 'Mail', values: pick('MAIL_URL', 'MAIL_FROM') },
    {
      comment: 'Storage. With docker compose: the keys of the store that it runs.',
      values: {
        ...pick('STORAGE_PROVIDER', 'S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET'),
        S3_ACCESS_KEY_ID,
        S3_SECRET_ACCESS_KEY,
        ...pick('AZURE_STORAGE_CONNECTION_STRING', 'AZURE_STORAGE_CONTAINER'),
      },
    },
    { comment: 'Sign-up and billing', values: pick('SIGN_UP', 'CAPTCHA_PROVIDER', 'BILLING') },
    { comment: 'Secrets. Never change PASSWORD_PEPPER.', values: service },
    {
      comment: 'Only for docker compose',
      values: {
        ...(existsSync(join(root, COMPOSE_FILE)) && { COMPOSE_FILE }),
        AGATE_HOST: hostOf(answers),
        ...pick('STORE_HOST', 'ACME_EMAIL'),
        ...ofCompose,
      },
    },
  ];
  const written = new Set(sections.flatMap(({ values }) => Object.keys(values)));
  const others = Object.entries(former).filter(([name]) => !written.has(name) && !isAnswer(name));
  if (others.length > 0) sections.push({ comment: 'Kept from the former file', values: Object.fromEntries(others) });
  return sections;
}

/** A setting that no longer applies, such as the bucket of a former store, is not kept. */
const isAnswer = (name: string): boolean => QUESTIONS.some(({ variable }) => variable === name);

/** The configuration as a start in production reads it. @throws StartupError that names each variable with a problem. */
function validated(sections: readonly EnvSection[], secrets: SetupSecrets): Config {
  const all = Object.assign({}, ...sections.map((section) => section.values)) as Values;
  return withKeyFiles(all, secrets, (values) => {
    const config = loadConfig(values, { needsSecrets: true });
    loadSecrets(config);
    return config;
  });
}

function summaryOf(path: string, { MAIL_URL, STORAGE_PROVIDER }: Values): string {
  const notes = [
    ...(MAIL_URL === ''
      ? [
          'Without a mail server mails are only written to files, and docker compose does not start. Add MAIL_URL to send them.',
        ]
      : []),
    ...(STORAGE_PROVIDER === 'local'
      ? []
      : ['docker compose runs a store of its own, and does not use the one that you named.']),
  ];
  const file = relative(process.cwd(), path) || path;
  return [
    `Wrote ${file} (readable by you only) and its key files in ${join(dirname(file), 'secrets')}.`,
    ...notes,
    ...startCommands(file),
    '',
  ].join('\n');
}

/** The commands that start the service. `npm start` and `docker compose up` read `.env` of the project folder only. */
function startCommands(file: string): string[] {
  const isFound = file === '.env';
  const quoted = /[^\w./-]/.test(file) ? `'${file.replaceAll("'", `'\\''`)}'` : file;
  const start = isFound ? 'npm start' : `node --env-file=${quoted} scripts/start.mjs`;
  const files = isFound ? '' : `--file ${COMPOSE_FILE} --env-file ${quoted} `;
  return [
    `Start the service:  NODE_ENV=production ${start}`,
    ...(existsSync(join(process.cwd(), COMPOSE_FILE))
      ? [`Or in containers:   docker compose ${files}up --detach --build`]
      : []),
  ];
}
