export {
  type BuildInstallLink,
  type ChannelInstallLink,
  type InstallLink,
  type TesterInstallLink,
} from './install-link';
export { InstallLinksModule } from './install-links.module';
export { InstallLinksService } from './install-links.service';
