import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClockGuardService } from './clock-guard.service';
import { ClockMarkEntity, ClockMarkRepository } from './clock-mark.repository';

/** Provides {@link ClockGuardService}. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ClockMarkEntity])],
  providers: [ClockGuardService, ClockMarkRepository],
  exports: [ClockGuardService],
})
export class ClockGuardModule {}
