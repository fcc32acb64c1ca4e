/** A bucket of a store with the S3 API. */
export interface S3Description {
  readonly provider: 's3';
  /** Absent: Amazon S3 in `region`. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the URL has the bucket in its path instead of its host name; most stores other than Amazon S3 need this. */
  readonly forcePathStyle: boolean;
}

/** A container of Azure Blob Storage. */
export interface AzureDescription {
  readonly provider: 'azure';
  readonly container: string;
  /** Must have an account key: a shared access signature cannot presign URLs. */
  readonly connectionString: string;
}

/** Everything needed to open a store in the cloud, secrets included. Drivers take credentials from nowhere else. */
export type StoreDescription = S3Description | AzureDescription;

/** The connection string of an account in Azure's public cloud. */
export const azureConnectionString = (accountName: string, accountKey: string): string =>
  `DefaultEndpointsProtocol=https;AccountName=${accountName};AccountKey=${accountKey};EndpointSuffix=core.windows.net`;
