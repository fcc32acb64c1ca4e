import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsObject, ValidateNested } from 'class-validator';
import { BlankIsAbsent, BooleanQueryField, EmailField, EnumField, IdField, IntegerField } from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { IMPORT_OUTCOMES, type ImportOutcome } from '../tester';
import { CreateTesterRequest } from '../testers.dto';

export const MAX_BATCH = 1000;

@ApiSchema({ description: 'Testers to add, in one step.' })
export class TesterBatchRequest {
  @ApiProperty({
    type: [CreateTesterRequest],
    minItems: 1,
    maxItems: MAX_BATCH,
    description: 'The testers. An address that occurs twice becomes one tester.',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_BATCH)
  // `ValidateNested` accepts arrays in place of objects and validates their items.
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CreateTesterRequest)
  testers: CreateTesterRequest[];
}

export class ImportQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'Also subscribes the testers to this channel.', of: 'channel' })
  channel_id?: string;

  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    example: false,
    description: '`true`: checks everything and counts the outcomes, but changes nothing.',
  })
  dry_run?: boolean;
}

@ApiSchema({ description: 'The outcome of one line.' })
export class ImportedTesterResponse {
  @IdField({
    nullable: true,
    of: 'tester',
    description:
      'Id of the tester. `null` when the project has no tester with the address: it is suppressed, or would be added without `dry_run`.',
  })
  id: string | null;

  @EmailField({ description: 'The address of the line.', example: 'tess@example.com' })
  email: string;

  @EnumField(IMPORT_OUTCOMES, {
    name: 'TesterImportOutcome',
    description: '`suppressed`: the tester unsubscribed before, so nothing was changed.',
  })
  outcome: ImportOutcome;
}

@ApiSchema({ description: 'The outcomes of all lines.' })
export class ImportedTestersResponse {
  @IntegerField({
    min: 0,
    example: 1,
    description: 'The number of testers that were added or, with `dry_run`, would be.',
  })
  created: number;

  @IntegerField({
    min: 0,
    description: 'The number of lines with an address that the project already has.',
    example: 0,
  })
  existing: number;

  @IntegerField({ min: 0, description: 'The number of lines with an address that unsubscribed before.', example: 0 })
  suppressed: number;

  @ApiProperty({ type: [ImportedTesterResponse], description: 'One for each line, in the order of the lines.' })
  testers: ImportedTesterResponse[];
}
