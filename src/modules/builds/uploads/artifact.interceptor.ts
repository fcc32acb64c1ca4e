import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { type Response } from 'express';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { StorageConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { unitOfWorkOf } from '#infra/idempotency/unit-of-work';
import { artifactDigest } from '#infra/upload/artifact-digest';
import { receiveArtifact } from '#infra/upload/receive-artifact';
import { ArtifactIntake } from './artifact-intake.service';
import { BuildsService } from '../catalogue/builds.service';
import { projectOf } from './project-of-upload';
import { type StoredArtifact, type Upload } from './upload';

interface UploadRequest extends AppRequest {
  artifact?: StoredArtifact;
}

/** The uploaded file of a route with the `ArtifactInterceptor`: stored, hashed, read. */
export const Artifact = createParamDecorator((_: unknown, execution: ExecutionContext): StoredArtifact => {
  const { artifact } = execution.switchToHttp().getRequest<UploadRequest>();
  if (!artifact) throw new AppError('internal_error', { message: 'The route lacks the ArtifactInterceptor.' });
  return artifact;
});

/**
 * Everything about an upload that must happen before its handler, which only commits: admission, streaming to the store,
 * reading the artifact. Whatever fails, in here or in the handler, leaves nothing behind.
 */
@Injectable()
export class ArtifactInterceptor implements NestInterceptor {
  constructor(
    private readonly intake: ArtifactIntake,
    private readonly builds: BuildsService,
    private readonly config: StorageConfig,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => from(this.receive(execution, next)));
  }

  private async receive(execution: ExecutionContext, next: CallHandler): Promise<unknown> {
    const request = execution.switchToHttp().getRequest<UploadRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    return this.intake.during(request.context, projectOf(request), this.expectedBytes(request), async (upload) => {
      const received = await this.store(request, response, upload);
      return unitOfWorkOf(request).run(() => firstValueFrom(next.handle(), { defaultValue: undefined }), received);
    });
  }

  /** @returns the digest of what was sent. */
  private async store(request: UploadRequest, response: Response, upload: Upload): Promise<string> {
    const received = await receiveArtifact(request, response, {
      maxBytes: this.config.maxUploadBytes,
      open: async (_fileName, { channel_id: channelId }) => {
        // A part that comes after the file is looked at after it; what is no uuid, the handler's shape refuses.
        if (isUuid(channelId)) await this.builds.allowPromotion(request.context, projectOf(request), channelId);
        return { store: upload.store, key: upload.blob.key };
      },
    });
    const { fields, file } = received;
    request.body = { ...fields };
    request.artifact = { ...file, upload, inspected: await this.intake.inspect(upload, file) };
    return artifactDigest(received);
  }

  /** What may arrive: the announced length, or, for a chunked body, the most that is accepted. */
  private expectedBytes(request: AppRequest): number {
    const { maxUploadBytes } = this.config;
    const announced = Number(request.get('content-length') ?? maxUploadBytes);
    return Math.min(Number.isSafeInteger(announced) ? announced : maxUploadBytes, maxUploadBytes);
  }
}
