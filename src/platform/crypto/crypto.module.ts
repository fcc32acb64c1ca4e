import { type DynamicModule, Module } from '@nestjs/common';
import { Sealer } from './sealer';
import { Secrets } from './secrets';

/** Keys of the service, and the sealing of secrets at rest. */
@Module({})
export class CryptoModule {
  static forRoot(secrets: Secrets): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      providers: [
        { provide: Secrets, useValue: secrets },
        { provide: Sealer, useValue: new Sealer(secrets.masterKeys) },
      ],
      exports: [Secrets, Sealer],
    };
  }
}
