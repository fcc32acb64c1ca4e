import { Module } from '@nestjs/common';
import { HostedStore } from './hosted-store';
import { StorageService } from './storage.service';

@Module({ providers: [HostedStore, StorageService], exports: [StorageService] })
export class StorageModule {}
