import { errors } from './errors';
import { frame } from './frame';
import { roles } from './roles';
import { session } from './session';
import { ui } from './ui';

/** The texts that every screen needs. All others are loaded with the screens that show them. */
export const everyScreen = { session, frame, errors, roles, ui };
