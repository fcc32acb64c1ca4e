import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, ValidateNested } from 'class-validator';
import { EmailField, EnumField, IdField, IntegerField } from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { IMPORT_OUTCOMES, type ImportOutcome } from '../tester';
import { CreateTesterRequest } from './tester.requests';

export const MAX_BATCH = 1000;

export class TesterBatchRequest {
  @ApiProperty({ type: [CreateTesterRequest], minItems: 1, maxItems: MAX_BATCH })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_BATCH)
  @ValidateNested({ each: true })
  @Type(() => CreateTesterRequest)
  testers: CreateTesterRequest[];
}

export class ImportQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'Also subscribes the testers to this channel.' })
  channel_id?: string;
}

export class ImportedTesterResponse {
  @IdField({ nullable: true })
  id: string | null;

  @EmailField({ example: 'tess@example.com' })
  email: string;

  @EnumField(IMPORT_OUTCOMES, {
    name: 'TesterImportOutcome',
    description: '`suppressed`: the tester unsubscribed before, so nothing was changed.',
  })
  outcome: ImportOutcome;
}

export class ImportedTestersResponse {
  @IntegerField({ min: 0, example: 1 })
  created: number;

  @IntegerField({ min: 0, description: 'How many lines have an address that the project already has.', example: 0 })
  existing: number;

  @IntegerField({ min: 0, description: 'How many lines have an address that unsubscribed before.', example: 0 })
  suppressed: number;

  @ApiProperty({ type: [ImportedTesterResponse], description: 'One for each line, in the order of the lines.' })
  testers: ImportedTesterResponse[];
}
