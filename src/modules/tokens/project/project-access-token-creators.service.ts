import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService, labelOf } from '#modules/developers';
import { type LabelledToken } from '../owner-labels.service';
import { type ProjectAccessToken } from './project-access-tokens.service';

/** Adds to tokens, for responses, the names of their creators. */
@Injectable()
export class ProjectAccessTokenCreatorsService {
  constructor(private readonly developers: DevelopersService) {}

  async one<Token extends ProjectAccessToken>(ctx: RequestContext, token: Token): Promise<LabelledToken<Token>> {
    const [labelled] = await this.many(ctx, [token]);
    return labelled as LabelledToken<Token>;
  }

  async many<Token extends ProjectAccessToken>(
    ctx: RequestContext,
    tokens: readonly Token[],
  ): Promise<LabelledToken<Token>[]> {
    const creators = new Set(tokens.flatMap(({ createdBy }) => createdBy ?? []));
    const developers = await this.developers.findMany(ctx, [...creators]);
    return tokens.map((token) => ({ ...token, createdByLabel: labelOf(developers.get(token.createdBy ?? '')) }));
  }
}
