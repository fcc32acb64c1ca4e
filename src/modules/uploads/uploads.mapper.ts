import { type BuildDraft, type BuildResponse } from '#modules/builds';
import { type CreateBuildRequest } from './dto/create-build.request';
import { type UploadedBuildResponse } from './dto/uploaded-build.response';

export const toBuildDraft = (body: CreateBuildRequest): BuildDraft => ({
  version: body.version,
  buildNumber: body.build_number,
  platform: body.platform,
  notes: body.notes,
  sha256: body.sha256,
  branch: body.branch,
  commit: body.commit,
  ciUrl: body.ci_url,
  channelId: body.channel_id,
});

/** @param releaseId null when the upload named no channel. */
export const toUploadedBuildResponse = (build: BuildResponse, releaseId: string | null): UploadedBuildResponse => ({
  ...build,
  ...(releaseId !== null && { release_id: releaseId }),
});
