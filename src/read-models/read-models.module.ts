import { Module } from '@nestjs/common';
import { BuildViewsModule } from './builds/build-views.module';
import { QuotasModule } from './quotas/quotas.module';
import { SearchModule } from './search/search.module';

/** The models that read tables of several modules. */
@Module({ imports: [BuildViewsModule, QuotasModule, SearchModule] })
export class ReadModelsModule {}
