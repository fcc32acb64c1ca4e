import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BranchPatternsField } from '#infra/http/dto/branch-patterns-field';
import { BooleanField, EnumField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { ObjectListField } from '#infra/http/dto/object-list-field';
import { MAX_RULES, type Retention, RETENTION_GROUPS, type RetentionGroup, type RetentionRule } from './retention';

const MAX_KEPT = 100_000;
const MAX_DAYS = 3_650;

@ApiSchema({
  description:
    'A rule about builds. It lets a build go that is not among the `keep_last` newest and is older than `keep_days`. At least one of both is required.',
})
export class RetentionRuleRequest {
  @IntegerField({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_KEPT,
    example: 20,
    description: 'The number of newest builds that are kept, of each group that `per` makes.',
  })
  keep_last?: number | null;

  @IntegerField({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_DAYS,
    example: 30,
    description: 'The age in days up to which builds are kept.',
  })
  keep_days?: number | null;

  @EnumField(RETENTION_GROUPS, {
    optional: true,
    name: 'RetentionGroup',
    description:
      'Among which builds `keep_last` counts: all of the rule, those of a platform, or those of a branch. Default: `project`.',
  })
  per?: RetentionGroup;

  @BranchPatternsField({
    description: 'The rule is about builds from these branches only. Absent or empty: about all builds.',
  })
  branches?: string[];
}

@ApiSchema({ description: 'Rules to preview.' })
export class PreviewRetentionRequest {
  @ObjectListField(RetentionRuleRequest, { max: MAX_RULES, description: 'The rules. Absent: those of the project.' })
  rules?: RetentionRuleRequest[];
}

@ApiSchema({ description: 'The retention of a project.' })
export class SetRetentionRequest {
  @ObjectListField(RetentionRuleRequest, {
    max: MAX_RULES,
    description: 'The rules. Absent: those of the project stay as they are.',
  })
  rules?: RetentionRuleRequest[];

  @BooleanField({ description: 'Whether builds are deleted by the rules.' })
  enabled: boolean;

  @TextField({
    max: 1000,
    optional: true,
    example: 'AQZtYWluLTE',
    description:
      'The `fingerprint` of a preview of these rules that is less than an hour old. Required when `enabled` is `true`.',
  })
  fingerprint?: string;
}

@ApiSchema({ description: 'A rule about builds.' })
export class RetentionRuleResponse {
  @IntegerField({
    nullable: true,
    min: 1,
    example: 20,
    description: 'The number of newest builds that are kept, of each group that `per` makes. `null`: none.',
  })
  keep_last: number | null;

  @IntegerField({
    nullable: true,
    min: 1,
    example: 30,
    description: 'The age in days up to which builds are kept. `null`: none.',
  })
  keep_days: number | null;

  @EnumField(RETENTION_GROUPS, { name: 'RetentionGroup', description: 'Among which builds `keep_last` counts.' })
  per: RetentionGroup;

  @ApiProperty({
    type: [String],
    example: ['feature/*'],
    description: 'Patterns of the branches that the rule is about. Empty: it is about all builds.',
  })
  branches: string[];
}

@ApiSchema({ description: 'The retention of a project.' })
export class RetentionResponse {
  @ApiProperty({
    type: [RetentionRuleResponse],
    description: 'A build goes when at least one rule is about it and every rule about it lets it go.',
  })
  rules: RetentionRuleResponse[];

  @BooleanField({ description: 'Whether builds are deleted by the rules. `false` in a new project.' })
  enabled: boolean;

  @TimeField({ nullable: true, description: 'When it was set last. `null` when it was never set.' })
  updated_at: string | null;
}

export const toRules = (rules: readonly RetentionRuleRequest[] | undefined): RetentionRule[] | undefined =>
  rules?.map(({ keep_last: keepLast, keep_days: keepDays, per, branches }) => ({
    ...(typeof keepLast === 'number' && { keepLast }),
    ...(typeof keepDays === 'number' && { keepDays }),
    per: per ?? 'project',
    ...(branches && branches.length > 0 && { branches: [...branches] }),
  }));

export const toRetentionResponse = ({ rules, enabled, updatedAt }: Retention): RetentionResponse => ({
  rules: rules.map(({ keepLast, keepDays, per, branches }) => ({
    keep_last: keepLast ?? null,
    keep_days: keepDays ?? null,
    per,
    branches: [...(branches ?? [])],
  })),
  enabled,
  updated_at: updatedAt?.toISOString() ?? null,
});
