export { type Developer } from './developer';
export { DevelopersModule } from './developers.module';
export { DevelopersService, type SessionHolder } from './developers.service';
export { tooManyWrongCodes } from './second-factor-guesses';
export { type FactorVerdict, SecondFactorsService } from './second-factors.service';
