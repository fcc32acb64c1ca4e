import { type DynamicModule, Module } from '@nestjs/common';
import { KeyedDigest } from './keyed-digest';
import { ListedSecrets } from './listed-secrets';
import { SealedColumns } from './sealed-columns';
import { Sealer } from './sealer';
import { Secrets } from './secrets';

/** Provides the keys of the service, the encryption of secrets at rest, and keyed digests. */
@Module({})
export class CryptoModule {
  static forRoot(secrets: Secrets): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      providers: [
        { provide: Secrets, useValue: secrets },
        { provide: KeyedDigest, useValue: new KeyedDigest(secrets.passwordPepper) },
        { provide: Sealer, useValue: new Sealer(secrets.masterKeys) },
        ListedSecrets,
        SealedColumns,
      ],
      exports: [KeyedDigest, ListedSecrets, SealedColumns, Sealer, Secrets],
    };
  }
}
