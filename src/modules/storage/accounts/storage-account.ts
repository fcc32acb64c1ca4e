import { azureConnectionString, type StoreDescription } from '#infra/blob/store-description';

/**
 * How far a customer's own account is: its checks have passed; an operator has made it the organization's; its teardown was asked
 * for or it is used no more, and goes when nothing is in it.
 */
export const ACCOUNT_STATES = ['configured', 'active', 'draining'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

export interface S3Place {
  /** Absent: Amazon's, of the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly forcePathStyle: boolean;
}

export interface AzurePlace {
  /** Absent: the account's in Azure's public cloud. */
  readonly endpoint?: string;
  readonly accountName: string;
  readonly container: string;
}

/** All there is to know about a customer's store: where it is, and the secrets that open it. */
export type StoreSettings =
  | {
      readonly provider: 's3';
      readonly place: S3Place;
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    }
  | {
      readonly provider: 'azure';
      readonly place: AzurePlace;
      readonly credentials: { readonly accountKey: string };
    };

/** Where a store is, without what opens it. */
export type StorePlace = Pick<StoreSettings, 'provider' | 'place'>;

/** An organization's own account, without its secrets. */
export interface CustomerAccount extends StorePlace {
  readonly id: string;
  readonly organizationId: string;
  readonly state: AccountState;
  /** Whether new artifacts go there: from one flip until the other. */
  readonly receives: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The address that requests go to. */
export function endpointOf({ provider, place }: StorePlace): string {
  if (place.endpoint !== undefined) return place.endpoint;
  if (provider === 's3') return `https://s3.${(place as S3Place).region}.amazonaws.com`;
  return `https://${(place as AzurePlace).accountName}.blob.core.windows.net`;
}

/** What the driver wants to know. */
export function describeStore({ provider, place, credentials }: StoreSettings): StoreDescription {
  if (provider === 's3') return { provider, ...place, ...credentials };
  const { endpoint, accountName, container } = place;
  const connectionString =
    endpoint === undefined
      ? azureConnectionString(accountName, credentials.accountKey)
      : `DefaultEndpointsProtocol=${new URL(endpoint).protocol.slice(0, -1)};AccountName=${accountName};AccountKey=${credentials.accountKey};BlobEndpoint=${endpoint}`;
  return { provider, container, connectionString };
}

/** Whether two settings speak of the same blobs: then only how to get there, or the secrets, may differ. */
export function isSamePlace(a: StorePlace, b: StorePlace): boolean {
  return identityOf(a) === identityOf(b);
}

function identityOf(store: StorePlace): string {
  const { place } = store;
  const name = 'bucket' in place ? place.bucket : `${place.accountName}/${place.container}`;
  return `${store.provider} ${new URL(endpointOf(store)).href} ${name}`;
}
