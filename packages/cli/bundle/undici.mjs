// The parts of undici that proxies need. The whole package is five times as large as the rest of the command line.
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import global from 'undici/lib/global.js';

export const { setGlobalDispatcher } = global;
