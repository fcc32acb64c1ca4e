/** A bucket of anything that speaks S3. */
export interface S3Description {
  readonly provider: 's3';
  /** Absent: Amazon's, of the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket stands in the path instead of the host name; most that are not Amazon's want that. */
  readonly forcePathStyle: boolean;
}

/** A container of Azure Blob Storage. */
export interface AzureDescription {
  readonly provider: 'azure';
  readonly container: string;
  /** With an account key: a shared access signature cannot sign addresses. */
  readonly connectionString: string;
}

/** Everything there is to know about a store in the cloud, its secrets too: credentials never come from anywhere else. */
export type StoreDescription = S3Description | AzureDescription;

/** The connection string of an account in Azure's public cloud. */
export const azureConnectionString = (accountName: string, accountKey: string): string =>
  `DefaultEndpointsProtocol=https;AccountName=${accountName};AccountKey=${accountKey};EndpointSuffix=core.windows.net`;
