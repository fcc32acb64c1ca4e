import { Injectable } from '@nestjs/common';
import { HttpConfig } from '#infra/config/config';
import { type OpenedBuild } from '../../current/current-build';

/** The addresses below an update key. Built from configuration alone, so that no feed contains a forged `Host` header. */
@Injectable()
export class UpdateAddresses {
  constructor(private readonly config: HttpConfig) {}

  /** The address that an app with this key requests. */
  ofKey(token: string): string {
    return `${this.config.installBaseUrl}/updates/${token}`;
  }

  /** The page of the current build, for people. */
  ofInstallPage(token: string): string {
    return `${this.ofKey(token)}/install`;
  }

  /** The file of the build. It ends in the name of the file, by which updaters tell its type. */
  ofPackage({ token, build }: OpenedBuild): string {
    return `${this.ofKey(token)}/builds/${build.id}/${encodeURIComponent(build.fileName)}`;
  }
}
