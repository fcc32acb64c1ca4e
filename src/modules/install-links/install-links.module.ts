import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstallLinkEntity, InstallLinksRepository } from './install-links.repository';
import { InstallLinksService } from './install-links.service';

@Module({
  imports: [TypeOrmModule.forFeature([InstallLinkEntity])],
  providers: [InstallLinksRepository, InstallLinksService],
  exports: [InstallLinksService],
})
export class InstallLinksModule {}
