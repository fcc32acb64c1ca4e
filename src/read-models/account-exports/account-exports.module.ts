import { Global, Module } from '@nestjs/common';
import { AccountFiles } from '#modules/account-data';
import { ExportedFilesList } from './exported-files';

@Global()
@Module({
  providers: [{ provide: AccountFiles, useClass: ExportedFilesList }],
  exports: [AccountFiles],
})
export class AccountExportsModule {}
