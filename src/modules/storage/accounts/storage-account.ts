import { azureConnectionString, type StoreDescription } from '#infra/blob/store-description';

/**
 * `configured`: the checks passed. `active`: an operator directed new artifacts to the account. `draining`: the teardown was
 * requested, or an operator directed new artifacts back to the hosted store; the account is removed when it is empty.
 */
export const ACCOUNT_STATES = ['configured', 'active', 'draining'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

export interface S3Place {
  /** Default: Amazon S3 in the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly forcePathStyle: boolean;
}

export interface AzurePlace {
  /** Default: the account's endpoint in the Azure public cloud. */
  readonly endpoint?: string;
  readonly accountName: string;
  readonly container: string;
}

/** The location and the credentials of a customer's store. */
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

/** The location of a store, without credentials. */
export type StorePlace = Pick<StoreSettings, 'provider' | 'place'>;

/** An organization's own storage account, without its credentials. */
export interface CustomerAccount extends StorePlace {
  readonly id: string;
  readonly organizationId: string;
  readonly state: AccountState;
  /** Whether new artifacts are stored there. Only an operator's flip changes it. */
  readonly receives: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The URL that requests are sent to. */
export function endpointOf({ provider, place }: StorePlace): string {
  if (place.endpoint !== undefined) return place.endpoint;
  if (provider === 's3') return `https://s3.${(place as S3Place).region}.amazonaws.com`;
  return `https://${(place as AzurePlace).accountName}.blob.core.windows.net`;
}

/** The settings in the form that the storage driver takes. */
export function describeStore({ provider, place, credentials }: StoreSettings): StoreDescription {
  if (provider === 's3') return { provider, ...place, ...credentials };
  const { endpoint, accountName, container } = place;
  const connectionString =
    endpoint === undefined
      ? azureConnectionString(accountName, credentials.accountKey)
      : `DefaultEndpointsProtocol=${new URL(endpoint).protocol.slice(0, -1)};AccountName=${accountName};AccountKey=${credentials.accountKey};BlobEndpoint=${endpoint}`;
  return { provider, container, connectionString };
}

/** Whether two settings name the same bucket or container. The credentials and other settings may differ. */
export function isSamePlace(a: StorePlace, b: StorePlace): boolean {
  return identityOf(a) === identityOf(b);
}

function identityOf(store: StorePlace): string {
  const { place } = store;
  const name = 'bucket' in place ? place.bucket : `${place.accountName}/${place.container}`;
  return `${store.provider} ${new URL(endpointOf(store)).href} ${name}`;
}
