export { QuotasModule } from './quotas.module';
