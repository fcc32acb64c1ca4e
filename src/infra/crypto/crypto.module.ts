import { type DynamicModule, Module } from '@nestjs/common';
import { KeyedDigest } from './keyed-digest';
import { ListedSecrets } from './listed-secrets';
import { PasswordHasher } from './password-hasher';
import { SealedColumns } from './sealed-columns';
import { Sealer } from './sealer';
import { Secrets } from './secrets';

/** Provides the keys of the service, the encryption of secrets at rest, keyed digests, and the hashes of passwords. */
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
        PasswordHasher,
        SealedColumns,
      ],
      exports: [KeyedDigest, ListedSecrets, PasswordHasher, SealedColumns, Sealer, Secrets],
    };
  }
}
