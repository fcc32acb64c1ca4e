import { type ControllerDocs } from '#infra/http/describe';

export const DEVICES_DOCS = {
  list: 'Use it to see which iPhones and iPads testers registered through install links, and which of them the newest build leaves out (`provisioned=false`). The ids (UDIDs) are personal data: they are `null` unless `include=udid`, which the audit feed records.',
  update:
    'Use it to name a device, or to assign it to a tester who registered it through a link that names no tester. The id of a device cannot be changed.',
  remove:
    'Use it when a device is no longer used. Its id is deleted. Builds still say whether their profile contains it, in case it is registered again; erasing its tester deletes that, too.',
  markRegistered:
    'Use it after you registered devices with Apple, so that lists show which are left. It is your statement: the service does not ask Apple. Apple counts 100 devices of each kind per year and team.',
} satisfies ControllerDocs;

export const DEVICE_FILES_DOCS = {
  export:
    'Use it to register devices with Apple: the file of `format=apple` is what its site ("Register multiple devices") and `register_devices` of fastlane accept. It contains the ids (UDIDs) of devices, so the audit feed records it.',
  import:
    'Use it to add devices that you know already: the file of `GET /devices/export`, or a CSV file with the columns `Device ID`, `Device Name` and `Device Platform` (or `udid`, `name`, `platform`), and optionally `email` of a tester of the project. At most 1,000 lines. It is applied as a whole or not at all; `details.fields` lists the invalid lines by number.',
} satisfies ControllerDocs;
