import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditRecorder } from './audit-recorder';
import { AuditAnchorEntity, AuditChainEntity, AuditEventEntity, AuditIntakeEntity } from './audit-event.entity';

/** Records audit events. The module `audit` reads them. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity, AuditIntakeEntity, AuditChainEntity, AuditAnchorEntity])],
  providers: [AuditRecorder],
  exports: [AuditRecorder],
})
export class AuditModule {}
