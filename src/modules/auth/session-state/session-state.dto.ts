import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField } from '#infra/http/dto/fields';
import { DeveloperResponse } from '#modules/developers';
import { OrganizationResponse } from '#modules/organizations';
import { SESSION_STATES, type SessionStateName } from './session-state.service';

@ApiSchema({ description: "The state of the session in a browser's cookies, and its developer." })
export class SessionStateResponse {
  @EnumField(SESSION_STATES, {
    description:
      '`active`: the access cookie is valid. `expired`: it is not, but the refresh cookie is; call `POST /login/refresh`. `none`: log in.',
  })
  state: SessionStateName;

  @ApiProperty({
    type: DeveloperResponse,
    nullable: true,
    description: 'The account, as in `GET /developers/me`. `null` unless the state is `active`.',
  })
  developer: DeveloperResponse | null;

  @ApiProperty({
    type: [OrganizationResponse],
    description: 'The organizations of the developer, as in `GET /organizations`. Empty unless the state is `active`.',
  })
  organizations: OrganizationResponse[];
}
