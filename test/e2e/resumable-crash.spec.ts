import { onDisk } from '../support/crash-places';
import { describeResumableCrash } from '../suites/resumable-crash.suite';

describeResumableCrash('a disk', () => Promise.resolve(onDisk));
