import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditAnchorEntity, AuditChainEntity, AuditEventEntity, AuditIntakeEntity } from './audit-event.entity';
import { AuditRecorder } from './audit-recorder';
import { ChangesRepository } from './changes.repository';

/** Records audit events and follows their chains. The module `audit` shows them. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity, AuditIntakeEntity, AuditChainEntity, AuditAnchorEntity])],
  providers: [AuditRecorder, ChangesRepository],
  exports: [AuditRecorder, ChangesRepository],
})
export class AuditModule {}
