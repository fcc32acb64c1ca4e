import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProperty } from '@nestjs/swagger';
import { Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { ArtifactInterceptor } from './artifact.interceptor';
import { CreateBuildRequest } from '../catalogue/dto/build.requests';

/** The body as the OpenAPI document shows it; the parts may come in any order. */
class UploadBuildForm extends CreateBuildRequest {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The artifact, with its file name.' })
  file: unknown;
}

/** A route that takes an artifact as `multipart/form-data`, part `file`, streamed to the store before the handler commits. */
export const ReceivesArtifact = (): MethodDecorator =>
  applyDecorators(
    Idempotent({ streams: true }),
    UseInterceptors(ArtifactInterceptor),
    ApiConsumes('multipart/form-data'),
    ApiBody({ type: UploadBuildForm }),
    Errors('invalid_input', 'not_found', 'operation_not_allowed', 'payload_too_large'),
  );
