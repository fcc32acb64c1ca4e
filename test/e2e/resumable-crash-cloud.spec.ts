import { onAzure, onS3 } from '../support/servers/cloud-places';
import { inTheCloud } from '../support/processes/crash-places';
import { describeResumableCrash } from '../suites/resumable-crash.suite';

describeResumableCrash('S3', () => inTheCloud(onS3));
describeResumableCrash('Azure', () => inTheCloud(onAzure));
