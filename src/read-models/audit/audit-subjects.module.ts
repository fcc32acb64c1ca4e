import { Global, Module } from '@nestjs/common';
import { AccessModule } from '#modules/access';
import { AuditSubjectViews } from '#modules/audit';
import { AuditSubjectsRepository } from './audit-subjects.repository';

@Global()
@Module({
  imports: [AccessModule],
  providers: [{ provide: AuditSubjectViews, useClass: AuditSubjectsRepository }],
  exports: [AuditSubjectViews],
})
export class AuditSubjectsModule {}
