import { settings } from './settings';
import { session, frame, errors, roles, ui } from './every-screen';
import { welcome } from './welcome';
import { projects } from './projects';
import { project } from './project';
import { build } from './build';
import { builds } from './builds';
import { differences } from './differences';
import { promotion } from './promotion';
import { uploads } from './uploads';
import { updates } from './updates';
import { channels } from './channels';
import { tester } from './tester';
import { testers } from './testers';
import { tokens } from './tokens';
import { access } from './access';
import { members } from './members';
import { audit } from './audit';
import { billing } from './billing';
import { storage } from './storage';
import { account } from './account';
import { device } from './device';
import { devices } from './devices';
import { palette } from './palette';

/** Every text of the dashboard, in English. Only its type is used: each area is a separate file, which is loaded when it is shown. */
export const words = {
  session,
  frame,
  welcome,
  settings,
  projects,
  project,
  build,
  builds,
  promotion,
  differences,
  uploads,
  updates,
  channels,
  tester,
  testers,
  tokens,
  access,
  members,
  audit,
  billing,
  storage,
  account,
  device,
  devices,
  palette,
  errors,
  roles,
  ui,
};
