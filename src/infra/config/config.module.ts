import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG_CLASSES } from './config';
import { Config } from './load-config';

/** Makes each configuration class injectable. */
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    const topics = CONFIG_CLASSES.map((topic) => ({ provide: topic, useValue: config.get<object>(topic) }));
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Config, useValue: config }, ...topics],
      exports: [Config, ...CONFIG_CLASSES],
    };
  }
}
