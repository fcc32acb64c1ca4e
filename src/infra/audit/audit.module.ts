import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditAnchorEntity } from './audit-anchor.entity';
import { AuditChainEntity } from './audit-chain.entity';
import { AuditEventEntity } from './audit-event.entity';
import { AuditIntakeEntity } from './audit-intake.entity';
import { AuditRecorder } from './audit-recorder';

/** Writing the audit feed. Reading it is a business module's. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity, AuditIntakeEntity, AuditChainEntity, AuditAnchorEntity])],
  providers: [AuditRecorder],
  exports: [AuditRecorder],
})
export class AuditModule {}
