import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type LabelledToken, OwnerLabelsService } from '../owner-labels.service';
import { type ProjectAccessToken } from './project-access-tokens.service';

/** Adds to tokens, for responses, the names of their creators. */
@Injectable()
export class ProjectAccessTokenCreatorsService {
  constructor(private readonly labels: OwnerLabelsService) {}

  async one<Token extends ProjectAccessToken>(ctx: RequestContext, token: Token): Promise<LabelledToken<Token>> {
    const [labelled] = await this.many(ctx, token, [token]);
    return labelled as LabelledToken<Token>;
  }

  /** @param tokens tokens of one project. */
  async many<Token extends ProjectAccessToken>(
    ctx: RequestContext,
    scope: ProjectScope,
    tokens: readonly Token[],
  ): Promise<LabelledToken<Token>[]> {
    const creatorOf = ({ createdBy }: ProjectAccessToken) => ({ kind: 'developer', id: createdBy });
    const labelled = await this.labels.read(ctx, scope, tokens.map(creatorOf));
    return tokens.map((token) => ({ ...token, createdByLabel: labelled(creatorOf(token)).label }));
  }
}
