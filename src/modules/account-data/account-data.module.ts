import { Module } from '@nestjs/common';
import { BillingModule } from '#modules/billing';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { StorageModule } from '#modules/storage';
import { DeveloperErasureRepository } from './developer-erasure.repository';
import { DeveloperErasure } from './developer-erasure.service';
import { ExportService } from './export.service';
import { OrganizationErasureRepository } from './organization-erasure.repository';
import { OrganizationErasure } from './organization-erasure.service';
import { SubjectsRepository } from './subjects.repository';

/** All that belongs to an organization or to a developer: to take along, and to be forgotten. */
@Module({
  imports: [BillingModule, DevelopersModule, OrganizationsModule, StorageModule],
  providers: [
    DeveloperErasure,
    DeveloperErasureRepository,
    ExportService,
    OrganizationErasure,
    OrganizationErasureRepository,
    SubjectsRepository,
  ],
  exports: [DeveloperErasure, ExportService, OrganizationErasure, SubjectsRepository],
})
export class AccountDataModule {}
