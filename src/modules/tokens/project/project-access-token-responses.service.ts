import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { toPage } from '#infra/http/dto/pagination';
import { type NewProjectAccessTokenResponse, type ProjectAccessTokenPage } from '../dto/project-access-token.dto';
import { OwnerLabelsService } from '../owner-labels.service';
import { toNewProjectAccessTokenResponse, toProjectAccessTokenResponse } from '../tokens.mapper';
import { type NewProjectAccessToken, type ProjectAccessToken } from './project-access-token';

type Label = (token: ProjectAccessToken) => string | null;

/** Project access tokens as the API shows them: with the name of the creator. */
@Injectable()
export class ProjectAccessTokenResponsesService {
  constructor(private readonly labels: OwnerLabelsService) {}

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    page: Page<ProjectAccessToken>,
  ): Promise<ProjectAccessTokenPage> {
    const labelOf = await this.labelsOf(ctx, scope, page.items);
    return toPage(page, (token) => toProjectAccessTokenResponse(token, labelOf(token)));
  }

  async issued(ctx: RequestContext, token: NewProjectAccessToken): Promise<NewProjectAccessTokenResponse> {
    const labelOf = await this.labelsOf(ctx, token, [token]);
    return toNewProjectAccessTokenResponse(token, labelOf(token));
  }

  private async labelsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    tokens: readonly ProjectAccessToken[],
  ): Promise<Label> {
    const creatorOf = ({ createdBy }: ProjectAccessToken) => ({ kind: 'developer', id: createdBy });
    const labelled = await this.labels.read(ctx, scope, tokens.map(creatorOf));
    return (token) => labelled(creatorOf(token)).label;
  }
}
