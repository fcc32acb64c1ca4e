import { Transform } from 'class-transformer';
import { IsArray, IsString } from 'class-validator';
import { Variable } from '../variable';
import { list } from './values';

/** Where webhooks may send events. */
export class WebhookConfig {
  @Variable('WEBHOOK_ALLOWED_HOSTS', {
    describe:
      'Comma-separated hosts, addresses or networks to which webhooks may send events although they are private or lack https.',
  })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  allowedHosts: string[];
}
