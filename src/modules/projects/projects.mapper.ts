import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectMemberResponse } from './members/project-members.dto';
import { type ProjectMember } from './members/project-members.service';
import { type BranchChannels } from './project';
import {
  type CreateProjectRequest,
  type ListedProjectResponse,
  type ProjectResponse,
  type UpdateProjectRequest,
} from './projects.dto';
import { type ProjectChange, type ProjectDraft } from './projects.service';
import {
  type DescribedProject,
  type ProjectBuild,
  type ProjectCurrentBuild,
  type ProjectSigningEnd,
  type ProjectSummary,
} from './summary/project-facts';
import {
  type CurrentBuildOfProjectResponse,
  type ProjectBuildResponse,
  type ProjectSummaryResponse,
  type SigningEndOfProjectResponse,
} from './summary/project-summary.dto';

export const toProjectMemberResponse = (member: ProjectMember): ProjectMemberResponse => ({
  developer_id: member.developerId,
  email: member.email,
  name: member.name,
  role: member.role,
  inherited_role: member.inheritedRole,
});

export const toProjectDraft = (body: CreateProjectRequest): ProjectDraft => ({
  name: body.name,
  ...toProjectChange(body),
});

/** Fields that are absent in the request are undefined. */
export const toProjectChange = (body: UpdateProjectRequest): ProjectChange => ({
  name: body.name,
  allowAnyBundleId: body.allow_any_bundle_id,
  language: body.language,
  signingExpiryMails: body.signing_expiry_mails,
  branchChannels: body.branch_channels && toBranchChannels(body.branch_channels),
});

const toBranchChannels = ({ pattern, name, days }: BranchChannels): BranchChannels => ({ pattern, name, days });

export const toProjectResponse = (project: DescribedProject): ProjectResponse => ({
  id: project.id,
  organization_id: project.organizationId,
  name: project.name,
  allow_any_bundle_id: project.allowAnyBundleId,
  language: project.language,
  signing_expiry_mails: project.signingExpiryMails,
  branch_channels: project.branchChannels,
  created_at: project.createdAt.toISOString(),
  icon_url: project.iconUrl,
});

/** A project of a list, with its summary if the request includes it. */
export const toListedProjectResponse = (ctx: RequestContext, project: DescribedProject): ListedProjectResponse => ({
  ...toProjectResponse(project),
  ...(project.summary && { summary: toSummaryResponse(ctx, project.summary) }),
});

export const toSummaryResponse = (ctx: RequestContext, summary: ProjectSummary): ProjectSummaryResponse => ({
  my_role: summary.role,
  icon_build_id: summary.iconBuildId,
  icon_url: summary.iconUrl,
  latest: summary.latest.map((build) => ({
    platform: build.platform,
    build: toProjectBuild(build, maySeeInstallLinks({ ...ctx, projectRole: summary.role })),
  })),
  channels: summary.channels.map(({ id, name }) => ({ id, name })),
  current: summary.current.map(toCurrentBuild),
  signing_ends: summary.signingEnds.map(toSigningEnd),
  counts: {
    builds: summary.builds,
    testers: summary.testers,
    channels: summary.channels.length,
    open_uploads: summary.openUploads,
  },
  downloads_14d: [...summary.downloadsByDay],
  last_activity_at: lastActivityOf(summary).toISOString(),
});

const toProjectBuild = (build: ProjectBuild, mayDownload: boolean): ProjectBuildResponse => ({
  id: build.id,
  version: build.version,
  build_number: build.buildNumber,
  size_bytes: build.sizeBytes,
  uploaded_at: build.uploadedAt.toISOString(),
  installable: build.installable,
  install_url: mayDownload ? build.installUrl : null,
  icon_url: build.iconUrl,
  signing_expires_at: build.signingExpiresAt?.toISOString() ?? null,
});

const toCurrentBuild = (current: ProjectCurrentBuild): CurrentBuildOfProjectResponse => ({
  channel_id: current.channelId,
  channel_name: current.channelName,
  promoted_at: current.promotedAt.toISOString(),
  platform: current.platform,
  build_id: current.buildId,
  version: current.version,
  build_number: current.buildNumber,
  installable: current.installable,
  signing_expires_at: current.signingExpiresAt?.toISOString() ?? null,
});

const toSigningEnd = (build: ProjectSigningEnd): SigningEndOfProjectResponse => ({
  build_id: build.buildId,
  platform: build.platform,
  version: build.version,
  build_number: build.buildNumber,
  what: build.what,
  expires_at: build.at.toISOString(),
  days_left: build.daysLeft,
});

const lastActivityOf = ({ project, lastUploadAt, lastReleaseAt, lastDownloadAt }: ProjectSummary): Date => {
  const times = [project.createdAt, lastUploadAt, lastReleaseAt, lastDownloadAt];
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
};
