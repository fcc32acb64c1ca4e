import { IsInt, Max, Min } from 'class-validator';
import { Variable } from '../variable';

/** Limits of uploads. */
export class UploadConfig {
  @Variable('MAX_UPLOAD_BYTES', {
    default: '2147483648',
    describe: 'Maximum size of an artifact, at most 80 GB. Larger ones get payload_too_large.',
  })
  @IsInt()
  @Min(1)
  @Max(80_000_000_000)
  maxBytes: number;

  @Variable('UPLOAD_BUFFER_BYTES', {
    default: '50331648',
    describe:
      'Maximum memory of all uploads to S3 and Azure in this process, in blocks of 8 MiB. Uploads wait while it is in use.',
  })
  @IsInt()
  @Min(8_388_608)
  bufferBytes: number;

  @Variable('UPLOAD_MIN_BYTES_PER_SECOND', {
    default: '10000',
    describe:
      'Minimum rate of an upload, averaged over one minute. A slower upload is cut off (upload_too_slow). 0 disables it.',
  })
  @IsInt()
  @Min(0)
  minBytesPerSecond: number;

  @Variable('MAX_UPLOADS_AT_ONCE', {
    default: '10',
    describe:
      'Maximum uploads in one request at the same time: of one organization, and of one developer or project access token. Above ' +
      'it, uploads get 429. Also the maximum parts that one process passes on to S3 or Azure for them. RATE_LIMIT_FACTOR multiplies it.',
  })
  @IsInt()
  @Min(1)
  atOnce: number;
}
