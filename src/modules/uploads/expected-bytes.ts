import { type Request } from 'express';

/** The room to reserve: the announced length, or the limit for a chunked body. */
export function expectedBytesOf(request: Request, maxBytes: number): number {
  const announced = Number(request.get('content-length') ?? maxBytes);
  return Math.min(Number.isSafeInteger(announced) ? announced : maxBytes, maxBytes);
}
