// Creates the configured bucket if it is missing. Exits 0 when the bucket exists.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_ENDPOINT, S3_REGION = 'us-east-1', S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const client = new S3Client({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  forcePathStyle: true,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
});

const exists = async () =>
  client.send(new HeadBucketCommand({ Bucket: S3_BUCKET })).then(
    () => true,
    (error) => {
      if (error.$metadata?.httpStatusCode === 404) return false;
      throw error;
    },
  );

if (await exists()) console.log(`The bucket ${S3_BUCKET} is there.`);
else {
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
  console.log(`Made the bucket ${S3_BUCKET}.`);
}
