import { Global, Module } from '@nestjs/common';
import { CredentialViews } from '#modules/access';
import { CredentialViewsRepository } from './credential-views.repository';

@Global()
@Module({
  providers: [{ provide: CredentialViews, useClass: CredentialViewsRepository }],
  exports: [CredentialViews],
})
export class CredentialViewsModule {}
