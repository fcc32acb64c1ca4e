import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { type Messages } from '#infra/pages/messages/messages';
import { ProfileDevicesService } from '#modules/builds';
import { DeviceRegistrationsService, DevicesService, type StoredDevice } from '#modules/devices';
import { type InstallLink } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { LinkResolverService } from '../link-resolver.service';
import { addressesOfLink, type LinkAddresses, splitGrant } from '../page/link-addresses';
import { readDeviceStatement } from './device-statement';
import { enrolmentProfile } from './enrolment-profile';

/** What the page about registering a device shows. */
export interface CaptureSubject {
  readonly project: string;
  /** The devices of the tester who owns the link, oldest first. Null for a link that names no tester. */
  readonly devices: readonly StoredDevice[] | null;
}

/** What the page after the registration shows. */
export interface CaptureReceipt {
  readonly project: string;
  readonly device: StoredDevice;
  /** The version of the newest build of the link that the device can install, null when there is none. */
  readonly version: string | null;
}

/** Registers the phone that reads the page of an install link. */
@Injectable()
export class DeviceCaptureService {
  constructor(
    private readonly links: LinkResolverService,
    private readonly registrations: DeviceRegistrationsService,
    private readonly devices: DevicesService,
    private readonly profiles: ProfileDevicesService,
    private readonly projects: ProjectsService,
    private readonly config: HttpConfig,
  ) {}

  /** @throws AppError not_found */
  async subject(ctx: RequestContext, token: string): Promise<CaptureSubject> {
    const { link, linkContext } = await this.links.resolve(ctx, token);
    const { name: project } = await this.projects.get(linkContext, scopeOf(link));
    const devices = link.kind === 'tester' ? await this.devices.listOfTester(linkContext, link, link.testerId) : null;
    return { project, devices };
  }

  /** The address for other devices of the page about registering a device, or of a link with rules. @throws AppError not_found */
  async pageUrl(ctx: RequestContext, token: string): Promise<string> {
    await this.links.resolve(ctx, token);
    return splitGrant(token).grant === null ? `${this.linkUrl(token)}/device` : this.addressesOf(token).ofPage().page;
  }

  /** A profile that makes the phone send its id. @throws AppError not_found */
  async profile(ctx: RequestContext, token: string, { devices: words }: Messages): Promise<string> {
    const { project } = await this.subject(ctx, token);
    const ticket = this.registrations.issue(ctx, token);
    return enrolmentProfile({
      answerUrl: `${this.config.installBaseUrl}/install/devices/${ticket}`,
      challenge: ticket,
      organization: project,
      name: words.profile.name(project),
      description: words.profile.description(project),
    });
  }

  /**
   * Registers the device of a signed answer.
   * @returns the address of the page for the phone's browser.
   * @throws AppError not_found for a ticket that has expired or was used, or whose link was replaced; invalid_input.
   */
  async register(ctx: RequestContext, ticket: string, answer: Buffer): Promise<string> {
    const opened = await this.registrations.open(ctx, ticket);
    const { link, linkContext } = await this.links.resolve(ctx, opened.token);
    const facts = { ...readDeviceStatement(answer, ticket), testerId: testerIdOf(link), name: null };
    const receipt = await this.registrations.register(linkContext, scopeOf(link), opened, facts);
    return `${this.linkUrl(opened.token)}/device/${receipt}`;
  }

  /**
   * The result of a registration.
   * @param receipt the receipt, which is shown once, or null to show the device of the cookie.
   * @param cookieOf the cookie of a project, by which this browser is recognized. @throws AppError not_found
   */
  async receipt(
    ctx: RequestContext,
    token: string,
    receipt: string | null,
    cookieOf: (projectId: string) => string | undefined,
  ): Promise<CaptureReceipt> {
    const resolved = await this.links.resolve(ctx, token);
    const { link, linkContext } = resolved;
    const scope = scopeOf(link);
    const spent = receipt === null ? null : await this.registrations.spend(linkContext, scope, token, receipt);
    const device = spent ?? (await this.registrations.fromCookie(linkContext, scope, cookieOf(link.projectId) ?? ''));
    if (!device) throw new AppError('not_found');
    const { current } = await this.links.listContents(resolved);
    const ids = current.map(({ build }) => build.id);
    const includedIn = await this.profiles.buildsWith(linkContext, scope, device.udidDigest, ids);
    const newest = current.find(({ build }) => includedIn.has(build.id));
    const { name: project } = await this.projects.get(linkContext, scope);
    return { project, device, version: newest?.build.version ?? null };
  }

  /** The value of the cookie by which later pages recognize a device. */
  cookieFor(device: StoredDevice): string {
    return this.registrations.toCookie(device);
  }

  /** Names a device of the tester who owns the link. @throws AppError not_found */
  async rename(ctx: RequestContext, token: string, deviceId: string, name: string | null): Promise<CaptureSubject> {
    const { linkContext, link } = await this.ownDevice(ctx, token, deviceId);
    await this.devices.update(linkContext, scopeOf(link), deviceId, { name });
    return this.subject(ctx, token);
  }

  /** Removes a device of the tester who owns the link. @throws AppError not_found */
  async remove(ctx: RequestContext, token: string, deviceId: string): Promise<CaptureSubject> {
    const { linkContext, link } = await this.ownDevice(ctx, token, deviceId);
    await this.devices.remove(linkContext, scopeOf(link), deviceId);
    return this.subject(ctx, token);
  }

  private async ownDevice(ctx: RequestContext, token: string, deviceId: string) {
    const { link, linkContext } = await this.links.resolve(ctx, token);
    const device = await this.devices.find(linkContext, scopeOf(link), deviceId);
    const testerId = testerIdOf(link);
    if (testerId === null || device?.testerId !== testerId) throw AppError.notFound('device');
    return { link, linkContext };
  }

  private linkUrl(token: string): string {
    return this.addressesOf(token).urlOf();
  }

  private addressesOf(token: string): LinkAddresses {
    return addressesOfLink(this.config.installBaseUrl, token);
  }
}

const testerIdOf = (link: InstallLink): string | null => (link.kind === 'tester' ? link.testerId : null);
