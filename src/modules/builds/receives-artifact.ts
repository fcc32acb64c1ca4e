import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Errors } from '#platform/http/errors';
import { Idempotent } from '#platform/idempotency/idempotent';
import { ArtifactInterceptor } from './artifact.interceptor';
import { CreateBuildRequest } from './dto/build.requests';

/** A route that takes an artifact as `multipart/form-data`, part `file`, streamed to the store before the handler commits. */
export const ReceivesArtifact = (): MethodDecorator =>
  applyDecorators(
    Idempotent({ streams: true }),
    UseInterceptors(ArtifactInterceptor),
    ApiConsumes('multipart/form-data'),
    ApiExtraModels(CreateBuildRequest),
    ApiBody({
      schema: {
        allOf: [
          { $ref: getSchemaPath(CreateBuildRequest) },
          {
            type: 'object',
            required: ['file'],
            properties: {
              file: { type: 'string', format: 'binary', description: 'The artifact, with its file name.' },
            },
          },
        ],
      },
    }),
    Errors(
      'invalid_input',
      'payload_too_large',
      'quota_exceeded',
      'storage_backend_unavailable',
      'prepaid_credit_exhausted',
      'spend_cap_exceeded',
    ),
  );
