export { type Developer } from './developer';
export { DevelopersModule } from './developers.module';
export { DevelopersService, type SessionHolder } from './developers.service';
export { type FactorOutcome, SecondFactorsService } from './second-factors.service';
