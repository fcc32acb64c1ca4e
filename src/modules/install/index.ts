export { InstallModule } from './install.module';
