import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountEntity } from './billing-account.entity';
import { BillingRepository } from './billing.repository';
import { BillingService } from './billing.service';
import { ReservationEntity } from './reservation.entity';

@Module({
  imports: [TypeOrmModule.forFeature([BillingAccountEntity, ReservationEntity])],
  providers: [BillingRepository, BillingService],
  exports: [BillingService],
})
export class BillingModule {}
