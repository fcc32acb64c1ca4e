/** Every screen of the dashboard. The build writes their addresses and first needs to `routes.json`. */
export * from './access/routes';
export * from './account/routes';
export * from './audit/routes';
export * from './billing/routes';
export * from './builds/routes';
export * from './channels/routes';
export * from './device/routes';
export * from './devices/routes';
export * from './members/routes';
export * from './organization-settings/routes';
export * from './project/routes';
export * from './projects/routes';
export * from './session/routes';
export * from './storage/routes';
export * from './testers/routes';
export * from './tokens/routes';
export * from './welcome/routes';
