import { onAzure, onS3 } from '../support/cloud-places';
import { inTheCloud } from '../support/crash-places';
import { describeResumableCrash } from '../suites/resumable-crash.suite';

describeResumableCrash('S3', () => inTheCloud(onS3));
describeResumableCrash('Azure', () => inTheCloud(onAzure));
