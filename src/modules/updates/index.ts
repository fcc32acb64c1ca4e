export { UPDATES_FILES } from './updates.account-data';
export { UpdatesModule } from './updates.module';
