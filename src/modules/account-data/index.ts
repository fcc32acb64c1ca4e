export { AccountFiles } from './account-files';
export { AccountDataModule } from './account-data.module';
export { DeveloperErasureService } from './developer-erasure.service';
export { ExportService } from './export.service';
export { OrganizationErasureService } from './organization-erasure.service';
export { type Subject, SubjectsService } from './subjects.service';
