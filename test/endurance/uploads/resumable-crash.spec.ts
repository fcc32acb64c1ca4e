import { describeResumableCrash } from '../../suites/resumable-crash.suite';
import { inTheCloud, onDisk } from '../../support/processes/crash-places';
import { onAzure, onS3 } from '../../support/servers/stores/cloud-places';

describeResumableCrash('a disk', () => Promise.resolve(onDisk));
describeResumableCrash('S3', () => inTheCloud(onS3));
describeResumableCrash('Azure', () => inTheCloud(onAzure));
