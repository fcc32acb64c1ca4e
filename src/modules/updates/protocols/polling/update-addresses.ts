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

  /** The artifact of the build. It ends in the name of the file, by which updaters tell its type. */
  ofPackage(opened: OpenedBuild): string {
    return this.ofFile(opened, opened.build.fileName);
  }

  /** A file of the build. */
  ofFile({ token, build }: OpenedBuild, fileName: string): string {
    return `${this.ofKey(token)}/builds/${build.id}/${encodeURIComponent(fileName)}`;
  }

  /**
   * A file of the build for electron-updater. It replaces the version everywhere in the path by that of the installed app, and so finds the
   * block map of the installed version: nothing else in the path may change from build to build. It finds the architecture by the name,
   * anywhere in the address.
   */
  ofVersionedFile(
    { token, build }: OpenedBuild,
    { fileName, arch }: { readonly fileName: string; readonly arch: string | null },
  ): string {
    const url = `${this.ofKey(token)}/files/${encodeURIComponent(build.version)}/${encodeURIComponent(fileName)}`;
    return arch === null || fileName.includes(arch) ? url : `${url}?arch=${arch}`;
  }
}
