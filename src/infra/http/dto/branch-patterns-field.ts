import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Length, ValidateIf } from 'class-validator';
import { DistinctItems } from './fields';

const MAX_BRANCHES = 20;
const MAX_PATTERN = 100;

/** An optional array of patterns of branches (`matchesBranch`). */
export const BranchPatternsField = ({ description }: { readonly description: string }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_PATTERN },
      maxItems: MAX_BRANCHES,
      uniqueItems: true,
      required: false,
      example: ['main', 'release/*'],
      description: `${description} \`*\` stands for any characters but \`/\`, \`**\` for any characters, \`?\` for one.`,
    }),
    ValidateIf((_, value) => value !== undefined),
    IsArray(),
    DistinctItems(MAX_BRANCHES),
    ArrayMaxSize(MAX_BRANCHES),
    IsString({ each: true }),
    Length(1, MAX_PATTERN, { each: true }),
  );
