import { IsInt, Min } from 'class-validator';
import { Variable } from '../variable';

/** Quotas. Above them, requests get `400 quota_exceeded`. */
export class QuotaConfig {
  @Variable('MAX_ORGANIZATIONS_PER_DEVELOPER', {
    default: '20',
    describe: 'Maximum organizations that a developer belongs to.',
  })
  @IsInt()
  @Min(1)
  organizationsPerDeveloper: number;

  @Variable('QUOTA_PROJECTS_PER_ORGANIZATION', { default: '1000', describe: 'Maximum projects of an organization.' })
  @IsInt()
  @Min(0)
  projectsPerOrganization: number;

  @Variable('QUOTA_CHANNELS_PER_PROJECT', { default: '50', describe: 'Maximum channels of a project.' })
  @IsInt()
  @Min(0)
  channelsPerProject: number;

  @Variable('QUOTA_MEMBERS_PER_ORGANIZATION', { default: '1000', describe: 'Maximum members of an organization.' })
  @IsInt()
  @Min(0)
  membersPerOrganization: number;

  @Variable('QUOTA_TESTERS_PER_PROJECT', { default: '100000', describe: 'Maximum testers of a project.' })
  @IsInt()
  @Min(0)
  testersPerProject: number;

  @Variable('QUOTA_TOKENS_PER_PROJECT', {
    default: '100',
    describe: 'Maximum active project access tokens of a project.',
  })
  @IsInt()
  @Min(0)
  tokensPerProject: number;

  @Variable('QUOTA_PATS_PER_DEVELOPER', {
    default: '50',
    describe: 'Maximum active personal access tokens of a developer.',
  })
  @IsInt()
  @Min(0)
  patsPerDeveloper: number;

  @Variable('QUOTA_OPEN_UPLOADS_PER_PROJECT', {
    default: '100',
    describe: 'Maximum open resumable uploads of a project.',
  })
  @IsInt()
  @Min(0)
  openUploadsPerProject: number;

  @Variable('MAX_OPEN_RESERVATIONS', {
    default: '100',
    describe:
      'Maximum open reservations in one organization: of a developer or tester through all their credentials, of a project access token, and of each client address of a shared install link.',
  })
  @IsInt()
  @Min(1)
  openReservations: number;
}
