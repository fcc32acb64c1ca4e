import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditAnchorEntity, AuditChainEntity, AuditEventEntity, AuditIntakeEntity } from './audit-event.entity';
import { AuditRecorder } from './audit-recorder';

/** Records audit events. The module `audit` reads them. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity, AuditIntakeEntity, AuditChainEntity, AuditAnchorEntity])],
  providers: [AuditRecorder],
  exports: [AuditRecorder],
})
export class AuditModule {}
