import { access } from './access';
import { account } from './account';
import { adoption } from './adoption';
import { agents } from './agents';
import { audit } from './audit';
import { billing } from './billing';
import { branding } from './branding';
import { build } from './build';
import { builds } from './builds';
import { bulk } from './bulk';
import { channels } from './channels';
import { deletion } from './deletion';
import { device } from './device';
import { devices } from './devices';
import { differences } from './differences';
import { errors, frame, roles, session, ui } from './every-screen';
import { join } from './join';
import { links } from './links';
import { members } from './members';
import { palette } from './palette';
import { project } from './project';
import { projects } from './projects';
import { promotion } from './promotion';
import { retention } from './retention';
import { settings } from './settings';
import { storage } from './storage';
import { tester } from './tester';
import { testers } from './testers';
import { tokens } from './tokens';
import { trash } from './trash';
import { updates } from './updates';
import { uploads } from './uploads';
import { webhooks } from './webhooks';
import { welcome } from './welcome';

/** Every text of the dashboard, in English. Only its type is used: each area is a separate file, which is loaded when it is shown. */
export const words = {
  session,
  frame,
  welcome,
  settings,
  projects,
  project,
  branding,
  build,
  builds,
  promotion,
  differences,
  deletion,
  retention,
  trash,
  uploads,
  updates,
  channels,
  tester,
  testers,
  adoption,
  bulk,
  tokens,
  agents,
  access,
  join,
  links,
  members,
  audit,
  billing,
  storage,
  webhooks,
  account,
  device,
  devices,
  palette,
  errors,
  roles,
  ui,
};
