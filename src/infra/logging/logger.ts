import { type LoggerService } from '@nestjs/common';
import { destination, type Logger as Pino, type LoggerOptions, pino } from 'pino';
import { RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { isError, loggableError, messageOf } from './loggable-error';
import { redactTokens } from './masking';

/** Fields that link a log line to the current trace. */
export type TraceFields = Readonly<Record<string, string>>;

let source: (() => TraceFields) | undefined;

/** Adds the fields that `fields` returns to every log line. Called once, when tracing is configured. */
export function linkLogTo(fields: () => TraceFields): void {
  source = fields;
}

const traceFields = (): TraceFields => source?.() ?? {};

const SECRET_KEYS = [
  'password',
  'new_password',
  'current_password',
  'token',
  'refresh_token',
  'authorization',
  'cookie',
];

/**
 * The service's structured log, one JSON object per line. Secrets are redacted by key and by pattern. Errors are logged by
 * `loggableError`, without input of clients.
 */
export class Logger implements LoggerService {
  /** Does not search for secrets and errors, because the search costs more than the line of a request. */
  private readonly requests: Pino;

  constructor(private readonly pino: Pino) {
    this.requests = pino.child({}, { redact: [], formatters: { log: (fields) => fields } });
  }

  info(fields: object, message: string): void {
    this.pino.info(fields, message);
    this.flush();
  }

  /**
   * Writes the line of a request. Such lines are collected for up to 200 ms and written together. A warning, like every other line, is
   * written immediately, after the collected lines.
   * @param fields without secrets and errors: they are written as they are.
   */
  request(level: 'info' | 'warn', fields: object, message: string): void {
    this.requests[level](fields, message);
    if (level === 'warn') this.flush();
  }

  warn(fields: object | string, message?: unknown): void {
    this.write('warn', fields, message);
  }

  error(fields: object | string, message?: unknown): void {
    this.write('error', fields, message);
  }

  /** Nest's own messages. Nest passes the class that logs as the last argument. */
  log(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, redactTokens(String(message)));
  }

  debug(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, redactTokens(String(message)));
  }

  verbose(message: unknown, context?: unknown): void {
    this.pino.trace({ context }, redactTokens(String(message)));
  }

  /** Nest passes a text with a stack or context, or only an error. */
  private write(level: 'warn' | 'error', fields: object | string, message?: unknown): void {
    if (typeof fields === 'string') this.pino[level]({ context: message }, redactTokens(fields));
    else if (isError(fields)) this.pino[level]({ err: fields }, messageOf(fields));
    else this.pino[level](fields, typeof message === 'string' ? message : '');
    this.flush();
  }

  private flush(): void {
    this.pino.flush();
  }
}

export function createLogger(config: Config, sink?: NodeJS.WritableStream): Logger {
  const { logLevel, logFormat, environment } = config.get(RuntimeConfig);
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: withLoggableErrors },
    // pino's own serializer would write every property.
    serializers: { err: (error: unknown) => error },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
  };
  if (sink) return new Logger(pino(options, sink));
  const pretty = logFormat ? logFormat === 'pretty' : environment === 'development' && process.stdout.isTTY;
  const transport = {
    target: 'pino-pretty',
    options: { ignore: 'context', singleLine: true, translateTime: 'SYS:HH:MM:ss' },
  };
  return new Logger(pretty ? pino({ ...options, transport }) : pino(options, bufferedOutput(1)));
}

const withLoggableErrors = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      (name === 'err' && value != null) || isError(value) ? loggableError(value) : value,
    ]),
  );

const FLUSH_MS = 200;
const FLUSH_BYTES = 4096;
/** The number of times that a full pipe is written to again at the exit. The library waits 100 ms before each. */
const RETRIES_AT_EXIT = 10;

/**
 * The destination of a log. A write per line would cost a fifth of a small request, so lines are collected. They are written when there are
 * 4 KiB of them, after 200 ms, on `flush`, and when the process ends. `SIGKILL` loses the collected lines.
 * @param file the descriptor of an open file.
 */
export function bufferedOutput(file: number): ReturnType<typeof destination> {
  let retries = Infinity;
  const retryEAGAIN = (): boolean => (retries -= 1) >= 0;
  const output = destination({ dest: file, sync: true, minLength: FLUSH_BYTES, periodicFlush: FLUSH_MS, retryEAGAIN });
  process.on('exit', () => {
    retries = RETRIES_AT_EXIT;
    try {
      // `flushSync` would repeat a write to a closed pipe without end.
      output.flush();
    } catch {
      // The reader of the log has closed it, or does not read.
    }
  });
  return output;
}
