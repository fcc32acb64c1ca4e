import { Global, Module } from '@nestjs/common';
import { AccessModule } from '#modules/access';
import { GrantHolders, LinkCountViews } from '#modules/install-links';
import { GrantHoldersRepository } from './grant-holders.repository';
import { LinkCountViewsRepository } from './link-count-views.repository';

@Global()
@Module({
  imports: [AccessModule],
  providers: [
    { provide: GrantHolders, useClass: GrantHoldersRepository },
    { provide: LinkCountViews, useClass: LinkCountViewsRepository },
  ],
  exports: [GrantHolders, LinkCountViews],
})
export class LinkViewsModule {}
