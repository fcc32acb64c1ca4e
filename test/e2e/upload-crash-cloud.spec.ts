import { onAzure, onS3 } from '../support/cloud-places';
import { inTheCloud } from '../support/crash-places';
import { describeUploadCrash } from '../suites/upload-crash.suite';

describeUploadCrash('S3', () => inTheCloud(onS3));
describeUploadCrash('Azure', () => inTheCloud(onAzure));
