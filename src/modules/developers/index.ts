export { type Developer } from './developer';
export { DevelopersModule } from './developers.module';
export { DevelopersService, type SessionHolder } from './developers.service';
