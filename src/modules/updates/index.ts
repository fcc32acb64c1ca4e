export { CurrentBuilds, type OpenedKeyRow } from './current/current-builds';
export { UPDATES_FILES } from './updates.account-data';
export { UpdatesModule } from './updates.module';
