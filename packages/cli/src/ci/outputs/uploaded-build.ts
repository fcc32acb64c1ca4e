/** The parts of an uploaded build that the next step of a pipeline uses. */
export interface UploadedBuild {
  readonly id: string;
  readonly platform: string;
  readonly version: string;
  readonly build_number: string | null;
  readonly file_name: string;
  readonly notes: string | null;
  /** Null when the credential must not download. */
  readonly install_url: string | null;
  /** Address of a picture of the QR code; null when there is no link. */
  readonly qr_url?: string | null;
  readonly app: { readonly name: string | null };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly releases: readonly {
    /** The name of the channel. */
    readonly channel: string;
    readonly release_id: string;
    readonly install_url: string | null;
  }[];
}
