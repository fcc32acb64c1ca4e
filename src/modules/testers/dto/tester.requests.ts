import { ApiSchema } from '@nestjs/swagger';
import { BlankIsAbsent, BooleanQueryField, EmailField, EnumField, IdField, TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';
import { TESTER_STATES, type TesterState } from '../activity/tester-activity';

@ApiSchema({ description: 'A new tester.' })
export class CreateTesterRequest {
  @EmailField({
    example: 'tess@example.com',
    description: 'The address that mails are sent to. It identifies the tester in the project and cannot be changed.',
  })
  email: string;

  @TextField({
    max: 100,
    optional: true,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester, for mails and lists. `null` or absent: none.',
  })
  name?: string | null;
}

@ApiSchema({ description: 'Changes of a tester. Absent fields stay as they are.' })
export class UpdateTesterRequest {
  @TextField({
    max: 100,
    optional: true,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester, for mails and lists. `null` removes it.',
  })
  name?: string | null;
}

export class ListTestersQuery extends ProjectPageQuery {
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
}

export class InviteQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'The channel that the link opens.', of: 'channel' })
  channel_id?: string;
}

@ApiSchema({ description: 'What the link opens, if it is not a channel.' })
export class InviteTesterRequest {
  @IdField({ optional: true, description: 'The build that the link opens.', of: 'build' })
  build_id?: string;
}
