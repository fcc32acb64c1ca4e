import { ApiSchema } from '@nestjs/swagger';
import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { TokenField } from '../lifetime/token-fields';

@ApiSchema({ description: 'A new project access token.' })
export class CreateProjectAccessTokenRequest {
  @TextField({ max: 100, example: 'GitHub Actions', description: 'Your name for the token, to recognize it by.' })
  name: string;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    description: 'The project role of the token: at most your own.',
    example: 'UPLOAD_BUILD',
  })
  role: ProjectRole;

  @TokenField.newExpiry()
  expires_at?: string | null;
}

@ApiSchema({ description: 'How to replace the value of a token.' })
export class RotateProjectAccessTokenRequest {
  @IntegerField({
    min: 0,
    max: 86_400,
    optional: true,
    description: 'How long the old value stays valid, in seconds. Default 0: it stops working immediately.',
    example: 3600,
  })
  overlap_seconds?: number;
}

@ApiSchema({ description: 'A credential for CI that belongs to a project. Without its value.' })
export class ProjectAccessTokenResponse {
  @IdField({ of: 'project access token' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project', description: 'The project that the token is bound to.' })
  project_id: string;

  @TextField({ max: 100, example: 'GitHub Actions', description: 'The name of the token.' })
  name: string;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    example: 'UPLOAD_BUILD',
    description: 'The project role of the token.',
  })
  role: ProjectRole;

  @TokenField.last4()
  last4: string;

  @IdField({
    nullable: true,
    of: 'developer',
    description: 'The developer who created it. `null` when their account was deleted.',
  })
  created_by: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'Ann',
    description:
      'The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted.',
  })
  created_by_label: string | null;

  @BooleanField({
    description:
      'Whether the developer who received the value (the creator, or the one who rotated it last) has left the organization. They may still know it: rotate or revoke the token.',
    example: false,
  })
  creator_left: boolean;

  @TimeField({ example: '2026-11-02T09:31:12.904Z', description: 'When the token was created.' })
  created_at: string;

  @TokenField.expiry()
  expires_at: string | null;

  @TokenField.lastUse()
  last_used_at: string | null;
}

@ApiSchema({ description: 'A project access token with its value, which only this response contains.' })
export class NewProjectAccessTokenResponse extends ProjectAccessTokenResponse {
  @TokenField.value('ag_prj_…')
  token: string;
}

export class ProjectAccessTokenPage extends PageOf(ProjectAccessTokenResponse) {}
