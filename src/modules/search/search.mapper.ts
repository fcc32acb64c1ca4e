import { type SearchResponse } from './dto/search.dto';
import { type Found } from './found';

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
