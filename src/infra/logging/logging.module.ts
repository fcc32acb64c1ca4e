import { type DynamicModule, Module } from '@nestjs/common';
import { Logger } from './logger';

@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: Logger, useValue: logger }],
      exports: [Logger],
    };
  }
}
