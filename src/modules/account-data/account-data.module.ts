import { Module } from '@nestjs/common';
import { BillingModule } from '#modules/billing';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { StorageModule } from '#modules/storage';
import { DeveloperErasureRepository } from './developer-erasure.repository';
import { DeveloperErasureService } from './developer-erasure.service';
import { ExportService } from './export.service';
import { OrganizationErasureRepository } from './organization-erasure.repository';
import { OrganizationErasureService } from './organization-erasure.service';
import { SubjectsRepository } from './subjects.repository';

/** All that belongs to an organization or to a developer: to take along, and to be forgotten. */
@Module({
  imports: [BillingModule, DevelopersModule, OrganizationsModule, StorageModule],
  providers: [
    DeveloperErasureService,
    DeveloperErasureRepository,
    ExportService,
    OrganizationErasureService,
    OrganizationErasureRepository,
    SubjectsRepository,
  ],
  exports: [DeveloperErasureService, ExportService, OrganizationErasureService, SubjectsRepository],
})
export class AccountDataModule {}
