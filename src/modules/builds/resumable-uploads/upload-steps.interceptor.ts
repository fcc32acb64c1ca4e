import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { unitOfWorkOf } from '#infra/idempotency/unit-of-work';
import { projectOf } from '../uploads/project-of-upload';
import { type StoredArtifact } from '../uploads/upload';
import { UploadCompletionService } from './upload-completion.service';
import { UploadPartsService } from './upload-parts.service';

type Commit = () => Promise<unknown>;

interface CompletionRequest extends AppRequest {
  assembled?: StoredArtifact | null;
}

/** The artifact of a route with the `AssemblesArtifact` step; null when the upload is a build already. */
export const Assembled = createParamDecorator(
  (_: unknown, execution: ExecutionContext): StoredArtifact | null =>
    execution.switchToHttp().getRequest<CompletionRequest>().assembled ?? null,
);

/** What a route asks of the store before its handler commits: no transaction is open meanwhile. */
abstract class UploadStep implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const id = String(request.params['upload_id']);
    if (!isUuid(id)) throw new AppError('not_found');
    const commit: Commit = () =>
      unitOfWorkOf(request).run(() => firstValueFrom(next.handle(), { defaultValue: undefined }));
    return defer(() => from(this.run(request, id.toLowerCase(), commit)));
  }

  protected abstract run(request: AppRequest, id: string, commit: Commit): Promise<unknown>;
}

/** The store knows that parts are to come. */
@Injectable()
export class BeginsParts extends UploadStep {
  constructor(private readonly parts: UploadPartsService) {
    super();
  }

  protected async run(request: AppRequest, id: string, commit: Commit): Promise<unknown> {
    await this.parts.begin(request.context, projectOf(request), id);
    return commit();
  }
}

/** The artifact is whole, checked and read. */
@Injectable()
export class AssemblesArtifact extends UploadStep {
  constructor(private readonly completion: UploadCompletionService) {
    super();
  }

  protected run(request: CompletionRequest, id: string, commit: Commit): Promise<unknown> {
    return this.completion.complete(request.context, projectOf(request), id, (artifact) => {
      request.assembled = artifact;
      return commit();
    });
  }
}
