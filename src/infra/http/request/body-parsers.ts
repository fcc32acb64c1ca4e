import { type IncomingMessage } from 'node:http';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import {
  json,
  type NextFunction,
  raw,
  type Request,
  type RequestHandler,
  type Response,
  text,
  urlencoded,
} from 'express';
import { AppError } from '#kernel/errors/app-error';
import { type AppRequest } from './app-request';
import { rejectOversizedBody } from './body-bounds';
import { ACCEPTS_FORM_KEY, isFormPost } from './html-form';

export const BODY_LIMIT_KEY = 'body-limit';

export interface BodyLimitOptions {
  readonly maxBytes: number;
  /** Maximum number of items in an array, if lower than the default. Items that are too many are not validated. */
  readonly maxItems?: number;
}

/** The limits of the body on a route that needs more than 64 KiB. */
export const BodyLimit = (limit: BodyLimitOptions): MethodDecorator => SetMetadata(BODY_LIMIT_KEY, limit);

/** Limit of every body except uploads and routes with {@link BodyLimit}. */
const DEFAULT_LIMIT: BodyLimitOptions = { maxBytes: 64 * 1024 };

interface RouteWithBodyLimit {
  readonly method: string;
  /** Pattern of the router: `/api/v1/builds/:build_id`. */
  readonly pattern: string;
  readonly bodyLimit: BodyLimitOptions | undefined;
}

/** Timeout for reading a body. A client that needs longer is holding the connection open on purpose. */
const MAX_BODY_MS = 60_000;

/** A signed document (CMS, RFC 5652), as phones send it. */
const SIGNED_MEDIA_TYPE = 'application/pkcs7-signature';

/** The content types of the bodies that are parsed. Routes receive files of any other type themselves. */
const PARSERS = {
  'application/json': (limit: number) => json({ limit, strict: true, verify: keepSigned }),
  'application/x-www-form-urlencoded': (limit: number) => urlencoded({ limit, extended: false, parameterLimit: 100 }),
  'text/csv': csvParser,
  [SIGNED_MEDIA_TYPE]: (limit: number) => raw({ limit, type: SIGNED_MEDIA_TYPE }),
};

/**
 * Middleware that parses JSON, form and CSV bodies and limits their size and shape. An error is reported only after
 * authorization, so it is stored on the request and thrown by {@link BodyErrorGuard}. A body above the default limit, on a
 * route that declares a higher one, is parsed only after authorization, by the same guard.
 */
export const bodyParser = (routes: readonly RouteWithBodyLimit[]): RequestHandler => {
  const limitOf = bodyLimits(routes);
  const parsers = new Map(Object.entries(PARSERS).map(([type, create]) => [type, limited(limitOf, create)]));
  const types = [...parsers.keys()];
  return (request, response, next) => {
    const parser = parsers.get(request.is(types) || '');
    if (!parser) {
      if (isEmpty(request)) request.body = {};
      return next();
    }
    const parse = async (): Promise<void> => {
      await new Promise<void>((resolve) => void parser(request, response, () => resolve()));
      boundShape(request, limitOf(request));
    };
    if (isLarge(request, limitOf)) {
      (request as AppRequest).parseBody = parse;
      return next();
    }
    parse().then(() => next(), next);
  };
};

/**
 * Whether the body has no bytes. It is read as `{}`, like an absent one, so clients may omit the body where no field is required (for
 * example POST /login/refresh). A body with an unsupported content type stays undefined and fails validation, instead of being ignored
 * silently.
 */
const isEmpty = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Whether a body may exceed the default limit. A chunked body has no announced length, so it counts as large. */
const isLarge = (request: Request, limitOf: LimitOf): boolean =>
  !(Number(request.headers['content-length']) <= DEFAULT_LIMIT.maxBytes) &&
  limitOf(request).maxBytes > DEFAULT_LIMIT.maxBytes;

type LimitOf = (request: Request) => BodyLimitOptions;

/** Returns the limit of a request's body. Runs before the router, so it matches the path itself. */
function bodyLimits(routes: readonly RouteWithBodyLimit[]): LimitOf {
  const declared = routes.flatMap(({ method, pattern, bodyLimit }) =>
    bodyLimit ? [{ method, path: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`, 'i'), bodyLimit }] : [],
  );
  return (request) =>
    declared.find(({ method, path }) => method === request.method && path.test(request.path))?.bodyLimit ??
    DEFAULT_LIMIT;
}

/** A parser with the limit of the request's route. */
function limited(limitOf: LimitOf, create: (maxBytes: number) => RequestHandler): RequestHandler {
  const parsers = new Map<number, RequestHandler>();
  return (request, response, next) => {
    const { maxBytes } = limitOf(request);
    const parser = parsers.get(maxBytes) ?? deferred(create(maxBytes));
    parsers.set(maxBytes, parser);
    return parser(request, response, next);
  };
}

/** Removes a body that exceeds the limits of its shape, so that it is handled like a body that cannot be parsed. */
function boundShape(request: Request, { maxItems }: BodyLimitOptions): void {
  try {
    rejectOversizedBody(request.body, maxItems);
  } catch (error) {
    request.body = undefined;
    (request as AppRequest).bodyError = error;
  }
}

/** Keeps the raw bytes of a signed webhook: the signature covers the bytes, not the parsed JSON. */
const keepSigned = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
  if (request.headers['stripe-signature'] !== undefined) (request as AppRequest).signedBody = bytes;
};

const deferred =
  (parser: RequestHandler): RequestHandler =>
  (request, response: Response, next: NextFunction): void => {
    let isDone = false;
    const finish = (error?: unknown): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timeout);
      if (error) (request as AppRequest).bodyError = error;
      next();
    };
    const timeout = setTimeout(() => finish(tooSlow()), MAX_BODY_MS);
    parser(request, response, finish);
  };

/** A parser of CSV files. A byte order mark of UTF-16, which spreadsheets write, overrides the charset of the content type. */
function csvParser(limit: number): RequestHandler {
  const inUtf16 = new WeakMap<IncomingMessage, string>();
  const verify = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
    const [first, second] = bytes;
    const littleEndian = first === 0xff && second === 0xfe;
    if (!littleEndian && !(first === 0xfe && second === 0xff)) return;
    inUtf16.set(request, new TextDecoder(littleEndian ? 'utf-16le' : 'utf-16be').decode(bytes));
  };
  const parse = text({ limit, type: 'text/csv', verify });
  return (request, response, next) =>
    void parse(request, response, (error?: unknown) => {
      request.body = inUtf16.get(request) ?? (request.body as unknown);
      next(error);
    });
}

const tooSlow = (): AppError => new AppError('validation_error', { message: 'The body took too long to arrive.' });

/**
 * Rejects forms on routes that have none, parses large bodies, and throws the error of the body parser. The last global
 * guard, so unauthorized callers get 401 or 403 instead.
 */
@Injectable()
export class BodyErrorGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const acceptsForm = this.reflector.get<true | undefined>(ACCEPTS_FORM_KEY, execution.getHandler());
    // Programs may send an empty body with the Content-Type of a form.
    if (!acceptsForm && isFormPost(request) && request.headers['content-length'] !== '0') throw unexpectedForm();
    await request.parseBody?.();
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the parser's own error, which ErrorFilter maps
    if (request.bodyError) throw request.bodyError;
    return true;
  }
}

const unexpectedForm = (): AppError =>
  AppError.validation([
    { field: 'Content-Type', messages: ['this route accepts no forms: send a content type that it documents'] },
  ]);

/** Parameter decorator: the text of a `text/csv` body. */
export const CsvBody = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const body: unknown = execution.switchToHttp().getRequest<AppRequest>().body;
  if (typeof body !== 'string') throw AppError.validation([{ field: '', messages: ['send the file as text/csv'] }]);
  return body;
});

/** Parameter decorator: the bytes of a signed document. */
export const SignedBody = createParamDecorator((_: unknown, execution: ExecutionContext): Buffer => {
  const body: unknown = execution.switchToHttp().getRequest<AppRequest>().body;
  if (Buffer.isBuffer(body)) return body;
  throw AppError.validation([{ field: '', messages: [`send the document as ${SIGNED_MEDIA_TYPE}`] }]);
});

/** Documents a route whose body is a signed document. */
export const AcceptsSigned = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes(SIGNED_MEDIA_TYPE),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary' } }),
  );

/** Documents a route whose body is a CSV file (RFC 4180). */
export const AcceptsCsv = (example: string): MethodDecorator =>
  applyDecorators(ApiConsumes('text/csv'), ApiBody({ required: true, schema: { type: 'string', example } }));
