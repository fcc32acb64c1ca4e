import { type DynamicModule, Module } from '@nestjs/common';
import { KeyedDigest } from './keyed-digest';
import { SealedColumns } from './sealed-columns';
import { Sealer } from './sealer';
import { Secrets } from './secrets';

/** Keys of the service, the sealing of secrets at rest, and digests that nobody else can make. */
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
        SealedColumns,
      ],
      exports: [KeyedDigest, SealedColumns, Sealer, Secrets],
    };
  }
}
