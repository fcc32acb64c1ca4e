import { applyDecorators, type CustomDecorator, HttpCode, Redirect, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiQuery, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ARTIFACT_MEDIA_TYPES } from '#infra/blob/media-type';
import { type ErrorCase } from '#kernel/errors/catalogue';

export const SERVES_HTML_KEY = 'agate:for-people';

/**
 * What a route does, in an imperative sentence (the operation's summary in the OpenAPI document), and what it answers when
 * all goes well: status and model.
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

/** A route with nothing to say: `204`. */
export const ApiNoContent = (summary: string): MethodDecorator =>
  applyDecorators(ApiOperation({ summary }), HttpCode(204), ApiResponse({ status: 204, description: MEANING[204] }));

/** A route that answers bytes of its own kind, or of one of several. */
export const ApiFile = (summary: string, ...mediaTypes: readonly string[]): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    ApiResponse({ status: 200, description: MEANING[200], content: bytesOf(mediaTypes) }),
  );

/** `HEAD` of a route that answers by `sendBlob` (RFC 9110 §13). */
export const ApiBlobHead = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiFile(summary, ...ARTIFACT_MEDIA_TYPES),
    textHeader('If-None-Match', 'ETags you have.'),
    ApiResponse({ status: 304, description: 'You have it already.' }),
  );

/** A route that answers by `sendBlob`: whole, in part, elsewhere, or "you have it already" (RFC 9110 §13, §14). */
export const ApiBlob = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiBlobHead(summary),
    textHeader('Range', 'One range of bytes.'),
    textHeader('If-Range', 'The ETag of the file that you have a part of.'),
    ApiResponse({ status: 206, description: 'The range asked for.', content: bytesOf(ARTIFACT_MEDIA_TYPES) }),
    ApiResponse({ status: 302, description: 'It lies at the address in Location, for a minute.' }),
  );

const textHeader = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiHeader({ name, required: false, description, schema: { type: 'string' } });

/** A route that answers a page for people; with a model, also JSON for programs that ask for it. */
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

/**
 * A route that people come to with a browser: it has pages, for errors, too, in the reader's language, which is what
 * `Accept-Language` asks for unless `lang` says otherwise.
 */
export const ServesHtml = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(SERVES_HTML_KEY, true),
    ApiQuery({
      name: 'lang',
      required: false,
      schema: { type: 'string', enum: ['en', 'de'] },
      description: 'The language of the page, whatever `Accept-Language` says.',
    }),
  );

/** A route that sends the client on, to the `url` it answers. */
export const ApiRedirect = (summary: string): MethodDecorator =>
  applyDecorators(ApiOperation({ summary }), Redirect('', 302), ApiResponse({ status: 302, description: 'Go on.' }));

const MEANING = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.', 204: 'Done.' } as const;

const bytesOf = (mediaTypes: readonly string[]): Record<string, object> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]));

export const ERRORS_KEY = 'agate:errors';

/**
 * Names the errors that a route can answer beyond those that follow from its other declarations (access, limit, input):
 * they become the error responses of the OpenAPI document.
 */
export const Errors = (...cases: readonly ErrorCase[]): CustomDecorator => SetMetadata(ERRORS_KEY, cases);
