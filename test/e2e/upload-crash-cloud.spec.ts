import { onAzure, onS3 } from '../support/servers/cloud-places';
import { inTheCloud } from '../support/processes/crash-places';
import { describeUploadCrash } from '../suites/upload-crash.suite';

describeUploadCrash('S3', () => inTheCloud(onS3));
describeUploadCrash('Azure', () => inTheCloud(onAzure));
