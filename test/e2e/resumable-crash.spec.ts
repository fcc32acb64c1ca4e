import { onDisk } from '../support/processes/crash-places';
import { describeResumableCrash } from '../suites/resumable-crash.suite';

describeResumableCrash('a disk', () => Promise.resolve(onDisk));
