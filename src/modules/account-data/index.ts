export { AccountDataModule } from './account-data.module';
export { DeveloperErasureService } from './developer-erasure.service';
export { DEVELOPER_FILES } from './developer-data';
export { type ExportReport, ExportService } from './export.service';
export { type ExportedFile } from './exported-file';
export { ORGANIZATION_FILES } from './organization-data';
export { OrganizationErasureService } from './organization-erasure.service';
export { type Subject, SubjectsRepository } from './subjects.repository';
