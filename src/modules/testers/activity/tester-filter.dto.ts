import { type Type } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { BlankIsAbsent, BooleanQueryField, EmailField, EnumField, IdField, TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';
import { TESTER_STATES, type TesterState } from '../tester';
import { type TesterFilter } from '../tester-views';
import { ADOPTION_FILTERS, type AdoptionFilter, type AdoptionOf } from './adoption';

/** Adds the filters of testers to the query of a route. */
function Filtered<Q extends ProjectQuery>(Parent: Type<Q>) {
  class FilteredQuery extends (Parent as Type<ProjectQuery>) {
    @EmailField({ optional: true, description: 'The exact address, ignoring case.', example: 'tess@example.com' })
    email?: string;

    @TextField({ max: 200, optional: true, description: 'Text contained in address or name.', example: 'tess' })
    q?: string;

    @IdField({ optional: true, description: 'Lists only subscribers of this channel.', of: 'channel' })
    channel_id?: string;

    @BlankIsAbsent()
    @EnumField(TESTER_STATES, {
      optional: true,
      example: 'behind',
      name: 'TesterState',
      description: 'Lists only testers in this state. Needs `MANAGE_TESTERS`.',
    })
    state?: TesterState;

    @BlankIsAbsent()
    @BooleanQueryField({
      optional: true,
      description:
        '`true`: lists only testers in the state `behind`. `false`: lists only the others. Needs `MANAGE_TESTERS`.',
    })
    behind?: boolean;

    @IdField({ optional: true, of: 'release', description: 'The release that `adoption` is about.' })
    release_id?: string;

    @IdField({ optional: true, of: 'build', description: 'The build that `adoption` is about.' })
    build_id?: string;

    @BlankIsAbsent()
    @EnumField(ADOPTION_FILTERS, {
      optional: true,
      example: 'has_not',
      name: 'AdoptionFilter',
      description:
        'Lists only testers in this step of the adoption of `release_id` or `build_id`; `has_not`: those who lack the build, in all steps but `has_it` and `has_newer`. Needs `MANAGE_TESTERS`.',
    })
    adoption?: AdoptionFilter['step'];

    @BlankIsAbsent()
    @EnumField(['current'], {
      optional: true,
      name: 'HasNotFilter',
      description:
        '`current`: lists only testers who lack one of the current builds of their channels: those of `adoption=has_not` of any current release. Needs `MANAGE_TESTERS`.',
    })
    has_not?: 'current';
  }
  return FilteredQuery as Type<Q & FilteredQuery>;
}

export class ListTestersQuery extends Filtered(ProjectPageQuery) {}

export class ExportTestersQuery extends Filtered(ProjectQuery) {}

/** @throws AppError validation_error when `adoption` is not about exactly one object. */
export const toTesterFilter = (query: ExportTestersQuery): TesterFilter => ({
  email: query.email,
  q: query.q,
  channelId: query.channel_id,
  state: query.state,
  behind: query.behind,
  adoption: toAdoptionFilter(query),
  hasNotCurrent: query.has_not === 'current' ? true : undefined,
});

function toAdoptionFilter({ adoption, ...query }: ExportTestersQuery): AdoptionFilter | undefined {
  const of = toAdoptionOf(query);
  if (adoption === undefined) return undefined;
  if (of) return { of, step: adoption };
  throw AppError.validation([{ field: 'adoption', messages: ['adoption needs release_id or build_id'] }]);
}

/**
 * The release or build of a query, null without one.
 * @throws AppError validation_error for both.
 */
export function toAdoptionOf({
  release_id: releaseId,
  build_id: buildId,
}: Pick<ExportTestersQuery, 'release_id' | 'build_id'>): AdoptionOf | null {
  if (releaseId !== undefined && buildId !== undefined)
    throw AppError.validation([{ field: 'build_id', messages: ['build_id must not be combined with release_id'] }]);
  if (releaseId !== undefined) return { releaseId };
  return buildId === undefined ? null : { buildId };
}
