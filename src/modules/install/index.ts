export { InstallModule } from './install.module';
export { itmsServicesUrl } from './manifest';
