export { accessFactsOf, MEMBER_COLUMNS, MEMBER_JOINS, type MemberFacts } from './projects.repository';
export { type Project } from './project';
export {
  DOWNLOAD_DAYS,
  type ProjectBuild,
  type ProjectChannel,
  type ProjectCurrentBuild,
  type ProjectFacts,
} from './summary/project-facts';
export { ProjectFactsService } from './summary/project-facts.service';
export { type ProjectPart } from './summary/project-parts.repository';
export { PROJECTS_FILES, ProjectsErasure } from './projects.account-data';
export { ProjectsModule } from './projects.module';
export { ProjectsService } from './projects.service';
