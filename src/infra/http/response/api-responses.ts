import { applyDecorators, type CustomDecorator, HttpCode, Redirect, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiQuery, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { ARTIFACT_MEDIA_TYPES } from '#infra/blob/download-headers';

export const SERVES_HTML_KEY = 'agate:for-people';

/**
 * Sets and documents the successful response of a route.
 * @param summary the summary of the operation: an imperative sentence.
 */
export const ApiResult = (summary: string, model: Type | [Type], status: 200 | 201 | 202 = 200): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    HttpCode(status),
    ApiResponse({
      status,
      description: MEANING[status],
      ...(Array.isArray(model) ? { type: model } : { type: model }),
    }),
  );

/** A route that responds with 204 and no body. */
export const ApiNoContent = (summary: string): MethodDecorator =>
  applyDecorators(ApiOperation({ summary }), HttpCode(204), ApiResponse({ status: 204, description: MEANING[204] }));

/** A route that responds with 204, or with 200 and a body when it has something to report: its handler sets the status 200. */
export const ApiResultOrNoContent = (summary: string, model: Type, description: string): MethodDecorator =>
  applyDecorators(ApiNoContent(summary), ApiResponse({ status: 200, description, type: model }));

/** Adds the response 204 to a route with a body: its handler sets the status when the client wants no body. */
export const OrNoContent = (description: string): MethodDecorator => ApiResponse({ status: 204, description });

/** A route that responds with a file of one of the media types. */
export const ApiFile = (summary: string, ...mediaTypes: readonly string[]): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    ApiResponse({ status: 200, description: MEANING[200], content: bytesOf(mediaTypes) }),
  );

/** A route that responds with a stream of server-sent events, each of which has `model` as its data. */
export const ApiEventStream = (summary: string, model: Type): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    ApiExtraModels(model),
    textHeader('Last-Event-ID', 'The `id` of the last event that you received. Browsers send it when they reconnect.'),
    ApiResponse({
      status: 200,
      description: MEANING[200],
      content: { 'text/event-stream': { schema: { $ref: getSchemaPath(model) } } },
    }),
  );

/** The `HEAD` route of a file that is sent with `sendBlob`. */
export const ApiBlobHead = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiFile(summary, ...ARTIFACT_MEDIA_TYPES),
    textHeader('If-None-Match', 'ETags of the copies that you already have.'),
    ApiResponse({ status: 304, description: 'Your copy is current.' }),
  );

/** A route that responds with `sendBlob`: 200, 206, 302 or 304 (RFC 9110, sections 13 and 14). */
export const ApiBlob = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiBlobHead(summary),
    textHeader('Range', 'A range of bytes, or at most 200 in ascending order without overlaps.'),
    textHeader('If-Range', 'The ETag of the file that you are resuming.'),
    ApiResponse({
      status: 206,
      description: 'The requested range; several as `multipart/byteranges`.',
      content: bytesOf(ARTIFACT_MEDIA_TYPES),
    }),
    ApiResponse({
      status: 302,
      description: 'Download the file from the URL in Location. It expires after one minute.',
    }),
  );

const textHeader = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiHeader({ name, required: false, description, schema: { type: 'string' } });

/** A route that responds with an HTML page and, if `model` is given, with JSON for clients that prefer it. */
export const ApiHtmlPage = (summary: string, model?: Type): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    HttpCode(200),
    ServesHtml(),
    ...(model ? [ApiExtraModels(model)] : []),
    ApiResponse({
      status: 200,
      description: MEANING[200],
      content: {
        'text/html': { schema: { type: 'string' } },
        ...(model && { 'application/json': { schema: { $ref: getSchemaPath(model) } } }),
      },
    }),
  );

/** A route that browsers open: its errors are HTML pages, in the language of `lang` or else of `Accept-Language`. */
export const ServesHtml = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(SERVES_HTML_KEY, true),
    ApiQuery({
      name: 'lang',
      required: false,
      schema: { type: 'string', enum: ['en', 'de'] },
      description: 'Language of the page. Overrides `Accept-Language`.',
    }),
  );

/** A route that redirects to the `url` that its handler returns. */
export const ApiRedirect = (summary: string): MethodDecorator =>
  applyDecorators(ApiOperation({ summary }), Redirect('', 302), ApiResponse({ status: 302, description: 'Redirect.' }));

const MEANING = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.', 204: 'Done.' } as const;

const bytesOf = (mediaTypes: readonly string[]): Record<string, object> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]));

export const ERRORS_KEY = 'agate:errors';

/**
 * Declares the errors of a route that do not follow from its other decorators (access, limit, input). They become error
 * responses in the OpenAPI document.
 */
export const Errors = (...cases: readonly ErrorCase[]): CustomDecorator => SetMetadata(ERRORS_KEY, cases);
