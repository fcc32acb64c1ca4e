import { join } from 'node:path';
import { detectDevice, type Device } from '#kernel/builds/device';
import { type AppRequest } from '#infra/http/request/app-request';
import { MESSAGE_PAGE } from '#infra/pages/message-page';
import { messagesOf } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { HtmlPage } from '#infra/pages/rendering/html-page';
import { pageTemplate, type PageView } from '#infra/pages/rendering/page-renderer';
import { MAX_DEVICE_NAME, modelOf, type StoredDevice, willBeMailed } from '#modules/devices';
import { type LinkAddresses } from '../page/link-addresses';
import { type CaptureReceipt, type CaptureSubject } from './device-capture.service';

interface OwnDevice {
  readonly name: string | null;
  readonly label: string;
  readonly rename: string;
  readonly remove: string;
}

interface DevicePageView extends PageView {
  readonly project: string;
  /** The profile, for a phone that can load it. */
  readonly profile: string | null;
  /** The QR code of this page, for a reader who has no iPhone in hand. */
  readonly qrCode: string | null;
  /** The problem with this browser, null when it can load profiles. */
  readonly wrongBrowser: string | null;
  readonly devices: readonly OwnDevice[];
  readonly maxName: number;
  readonly back: string;
}

const DEVICE_PAGE = pageTemplate<DevicePageView>(join(__dirname, '../page/templates'), 'device-page');

/** The page that registers a device, for the browser that sent a request. */
export function devicePageFor(request: AppRequest, subject: CaptureSubject, addresses: LinkAddresses): HtmlPage {
  const device = detectDevice(request.get('user-agent'), { platform: request.get('sec-ch-ua-platform') });
  return devicePage(subject, device, addresses, messagesOf(request));
}

/** Says why and what a phone sends, and lets it. Works without script. */
function devicePage(
  { project, devices }: CaptureSubject,
  { os, ambiguousMac, inAppBrowser }: Device,
  addresses: LinkAddresses,
  messages: Messages,
): HtmlPage {
  const words = messages.devices;
  const isPhone = os === 'ios' || os === 'ipados' || ambiguousMac;
  const page = addresses.ofPage().pagePath;
  return new HtmlPage(DEVICE_PAGE, {
    messages,
    enhanced: true,
    title: words.title,
    project,
    profile: isPhone && inAppBrowser === null ? `${page}/device.mobileconfig` : null,
    qrCode: isPhone && !ambiguousMac ? null : `${page}/device/qr.svg`,
    wrongBrowser: isPhone && inAppBrowser !== null ? words.wrongBrowser : null,
    devices: (devices ?? []).map((device) => toOwnDevice(device, page, messages)),
    maxName: MAX_DEVICE_NAME,
    back: page,
  });
}

const labelOf = ({ name, product }: StoredDevice, { devices }: Messages): string =>
  name ?? modelOf(product) ?? devices.unnamed;

const toOwnDevice = (device: StoredDevice, page: string, messages: Messages): OwnDevice => ({
  name: device.name,
  label: labelOf(device, messages),
  rename: `${page}/devices/${device.id}`,
  remove: `${page}/devices/${device.id}/remove`,
});

/** Says which version the device can install. Never ends in waiting: without one, it says what happens next. */
export function receiptPage(
  { project, device, version }: CaptureReceipt,
  addresses: LinkAddresses,
  messages: Messages,
): HtmlPage {
  const { included, missing, back } = messages.devices;
  const name = labelOf(device, messages);
  const text = willBeMailed(device) ? missing.mailed(project) : missing.anonymous;
  return new HtmlPage(MESSAGE_PAGE, {
    messages,
    tone: version === null ? 'neutral' : 'success',
    title: version === null ? missing.title : included.title,
    paragraphs: version === null ? [missing.text(name, project), text] : [included.text(name, project, version)],
    link: { href: addresses.ofPage().pagePath, label: back },
  });
}
