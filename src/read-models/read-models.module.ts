import { Module } from '@nestjs/common';
import { QuotasModule } from './quotas/quotas.module';
import { SearchModule } from './search/search.module';

/** The models that read tables of several modules. */
@Module({ imports: [QuotasModule, SearchModule] })
export class ReadModelsModule {}
