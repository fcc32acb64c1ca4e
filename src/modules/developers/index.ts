export { type Developer, emailKeyOf } from './developer';
export { DevelopersModule } from './developers.module';
export { DevelopersService, type SessionHolder } from './developers.service';
