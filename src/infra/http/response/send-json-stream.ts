import { type ServerResponse } from 'node:http';
import { sendStream } from './send-stream';

/** Answers JSON that is made while it is sent. */
export const sendJsonStream = (response: ServerResponse, pieces: AsyncGenerator<string>): Promise<void> =>
  sendStream(response, { 'Content-Type': 'application/json; charset=utf-8' }, pieces);
