import { type Response } from 'express';
import { type Icon } from '#modules/builds';

/** Keeps a browser from running anything in an image. */
export const IMAGE_CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

export function sendIcon(response: Response, { mediaType, data }: Icon): void {
  response
    .set({
      'Content-Type': mediaType,
      'Content-Security-Policy': IMAGE_CONTENT_SECURITY_POLICY,
      'Cache-Control': 'private, max-age=3600',
    })
    .send(data);
}
