import { Global, Module } from '@nestjs/common';
import { AccessModule } from '#modules/access';
import { GrantHolders } from '#modules/install-links';
import { GrantHoldersRepository } from './grant-holders.repository';

@Global()
@Module({
  imports: [AccessModule],
  providers: [{ provide: GrantHolders, useClass: GrantHoldersRepository }],
  exports: [GrantHolders],
})
export class GrantHoldersModule {}
