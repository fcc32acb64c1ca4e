import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RowCountChangeEntity, RowCountEntity } from './row-count.entity';
import { RowCountsRepository } from './row-counts.repository';
import { RowCountsService } from './row-counts.service';

/** Kept numbers of rows. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([RowCountChangeEntity, RowCountEntity])],
  providers: [RowCountsRepository, RowCountsService],
  exports: [RowCountsService],
})
export class RowCountsModule {}
