import { type NestExpressApplication } from '@nestjs/platform-express';
export const seedDemo = async (_app: NestExpressApplication): Promise<void> => Promise.resolve();
