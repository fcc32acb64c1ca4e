import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelsModule } from '#modules/channels';
import { UpdateKeyEntity } from './keys/update-key.entity';
import { UpdateKeysController } from './keys/update-keys.controller';
import { UpdateKeysRepository } from './keys/update-keys.repository';
import { UpdateKeysService } from './keys/update-keys.service';
import { UpdateAddresses } from './update-addresses';

/** How installed apps find out that there is a newer build. */
@Module({
  imports: [TypeOrmModule.forFeature([UpdateKeyEntity]), ChannelsModule],
  controllers: [UpdateKeysController],
  providers: [UpdateAddresses, UpdateKeysRepository, UpdateKeysService],
})
export class UpdatesModule {}
