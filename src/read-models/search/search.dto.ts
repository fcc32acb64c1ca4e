import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { type Found } from './found';

export class SearchQuery extends OrganizationQuery {
  @TextField({
    min: 0,
    max: 200,
    optional: true,
    example: 'beta 2.1',
    description: 'Words that must all be found, in any letter case. A text without words has no results.',
  })
  q?: string;
}

@ApiSchema({ description: 'A project whose name has the words.' })
class FoundProjectResponse {
  @IdField({ of: 'project' })
  id: string;

  @TextField({ max: 100, example: 'Demo', description: 'The name of the project.' })
  name: string;
}

class InProjectResponse {
  @IdField({ of: 'project' })
  project_id: string;

  @TextField({ max: 100, example: 'Demo', description: 'The name of its project.' })
  project_name: string;
}

@ApiSchema({ description: 'A build whose version, build number, file name, branch or commit has the words.' })
class FoundBuildResponse extends InProjectResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @TextField({ max: 128, example: '1.4.0', description: 'The version.' })
  version: string;

  @TextField({ max: 128, nullable: true, example: '42', description: 'The build number. `null` when it has none.' })
  build_number: string | null;

  @TextField({ max: 255, nullable: true, example: 'main', description: 'The branch. `null` when none was given.' })
  branch: string | null;

  @TimeField({ description: 'When the upload was complete.' })
  uploaded_at: string;
}

@ApiSchema({ description: 'A channel whose name has the words.' })
class FoundChannelResponse extends InProjectResponse {
  @IdField({ of: 'channel' })
  id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel.' })
  name: string;
}

@ApiSchema({ description: 'A tester whose address or name has the words.' })
class FoundTesterResponse extends InProjectResponse {
  @IdField({ of: 'tester' })
  id: string;

  @TextField({ max: 100, nullable: true, example: 'Tess', description: 'The name. `null` when none was given.' })
  name: string | null;

  @EmailField({ example: 'tess@example.com', description: 'The address.' })
  email: string;
}

@ApiSchema({ description: 'Up to five results of each kind, the best match first.' })
export class SearchResponse {
  @ApiProperty({ type: [FoundProjectResponse], description: 'Projects.' })
  projects: FoundProjectResponse[];

  @ApiProperty({ type: [FoundBuildResponse], description: 'Builds.' })
  builds: FoundBuildResponse[];

  @ApiProperty({ type: [FoundChannelResponse], description: 'Channels.' })
  channels: FoundChannelResponse[];

  @ApiProperty({ type: [FoundTesterResponse], description: 'Testers.' })
  testers: FoundTesterResponse[];
}

export const toSearchResponse = ({ projects, builds, channels, testers }: Found): SearchResponse => ({
  projects: projects.map(({ id, name }) => ({ id, name })),
  builds: builds.map((build) => ({
    id: build.id,
    project_id: build.projectId,
    project_name: build.projectName,
    platform: build.platform,
    version: build.version,
    build_number: build.buildNumber,
    branch: build.branch,
    uploaded_at: build.uploadedAt.toISOString(),
  })),
  channels: channels.map(({ id, projectId, projectName, name }) => ({
    id,
    project_id: projectId,
    project_name: projectName,
    name,
  })),
  testers: testers.map(({ id, projectId, projectName, name, email }) => ({
    id,
    project_id: projectId,
    project_name: projectName,
    name,
    email,
  })),
});
