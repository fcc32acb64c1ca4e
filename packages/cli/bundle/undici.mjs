// The parts of undici that proxies need. The whole package is several times as large as the rest of the command line.
import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import global from 'undici/lib/global.js';

export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export const { setGlobalDispatcher } = global;

// The main module of undici registers this for all dispatchers. It creates the tunnels through proxies.
Dispatcher.prototype.connect = connect;
