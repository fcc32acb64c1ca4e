import { type ExportedFiles, exportedTable } from '#kernel/account-data';
import { deviceContext } from './devices.service';

/** Devices are deleted with their testers and projects. */
export const DEVICES_FILES: ExportedFiles = {
  organization: [
    {
      ...exportedTable('devices', 'The devices of testers.', {
        from: 'device',
        columns:
          'id, project_id, tester_id, udid_sealed, product, os_version, name, registered_at, included_at, created_at',
        where: 'organization_id = $1',
        key: ['project_id', 'id'],
      }),
      sealed: { column: 'udid_sealed', as: 'udid', contextOf: deviceContext },
    },
  ],
};
