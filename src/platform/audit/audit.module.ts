import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventEntity } from './audit-event.entity';
import { AuditRecorder } from './audit-recorder';

/** Writing the audit feed. Reading it is a business module's. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  providers: [AuditRecorder],
  exports: [AuditRecorder],
})
export class AuditModule {}
