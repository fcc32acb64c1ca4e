import { type BuildDraft, type DescribedBuild, toUploadersBuildResponse } from '#modules/builds';
import { type CreateBuildRequest } from './dto/create-build.request';
import { type UploadedBuildResponse } from './dto/uploaded-build.response';
import { type UploadedBuild } from './upload-commit.service';

export const toBuildDraft = (body: CreateBuildRequest): BuildDraft => ({
  version: body.version,
  buildNumber: body.build_number,
  platform: body.platform,
  notes: body.notes,
  sha256: body.sha256,
  branch: body.branch,
  commit: body.commit,
  ciUrl: body.ci_url,
  pullRequestNumber: body.pull_request,
  pullRequestUrl: body.pull_request_url,
  originalUploadedAt: body.original_uploaded_at,
  channelId: body.channel_id,
  notify: body.notify,
});

export const toUploadedBuildResponse = (build: UploadedBuild & DescribedBuild): UploadedBuildResponse => ({
  ...toUploadersBuildResponse(build),
  ...(build.releaseId && { release_id: build.releaseId }),
});
