export { type BranchChannels, type Project } from './project';
export {
  type DescribedProject,
  DOWNLOAD_DAYS,
  NO_FACTS,
  type ProjectBuild,
  type ProjectChannel,
  type ProjectCurrentBuild,
  type ProjectFacts,
  type ProjectIcon,
  type ProjectSigningEnd,
  type ProjectSummary,
  type VisibleProject,
} from './summary/project-facts';
export { type ProjectFilter, ProjectViews } from './summary/project-views';
export { ProjectContactsService } from './members/project-contacts.service';
export { PROJECTS_FILES, ProjectsErasure } from './projects.account-data';
export { ProjectsModule } from './projects.module';
export { ProjectsService } from './projects.service';
