import { Injectable } from '@nestjs/common';
import { HttpConfig } from '#infra/config/config';

/** The addresses below an update key. Built from configuration alone, so that no feed contains a forged `Host` header. */
@Injectable()
export class UpdateAddresses {
  constructor(private readonly config: HttpConfig) {}

  /** The address that an app with this key requests. */
  ofKey(token: string): string {
    return `${this.config.installBaseUrl}/updates/${token}`;
  }
}
