import { IntegerFormField } from '#infra/http/dto/fields';
import { QR_PNG_SIZE } from './qr-code';

export class QrPngQuery {
  @IntegerFormField({
    min: QR_PNG_SIZE.min,
    max: QR_PNG_SIZE.max,
    optional: true,
    example: QR_PNG_SIZE.default,
    description: `The length of a side in pixels. Default: ${QR_PNG_SIZE.default}.`,
  })
  size?: number;
}
