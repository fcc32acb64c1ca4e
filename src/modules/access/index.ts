export { AccessGuard } from './access.guard';
export { AccessModule } from './access.module';
