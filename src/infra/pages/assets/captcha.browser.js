// Solves the proof of work of a form (ALTCHA version 2: PBKDF2/SHA-256 of nonce and counter) and writes the solution into its
// hidden field. A page in a frame also posts the solution to the origins that may frame it.
(() => {
  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

  const solve = async ({ nonce, salt, cost, keyLength, keyPrefix }) => {
    const start = bytes(nonce);
    const password = new Uint8Array(start.length + 4);
    password.set(start);
    const counterOf = new DataView(password.buffer);
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost };
    for (let counter = 0; ; counter++) {
      counterOf.setUint32(start.length, counter);
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
      const derivedKey = hex(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8));
      if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey };
    }
  };

  const renewed = async () => (await fetch('/api/v1/captcha', { headers: { Accept: 'application/json' } })).json();
  // A challenge expires after ten minutes.
  const RENEW_AFTER_MS = 9 * 60_000;

  const run = async (element, challengeOf) => {
    const status = element.querySelector('[role=status]');
    const button = element.closest('form').querySelector('[type=submit]');
    if (button) button.disabled = true;
    try {
      const challenge = await challengeOf();
      const solution = await solve(challenge.parameters);
      const captcha = btoa(JSON.stringify({ challenge, solution }));
      element.querySelector('[name=captcha]').value = captcha;
      status.textContent = element.dataset.solved;
      if (button) button.disabled = false;
      const parents =
        element.closest('[data-captcha-parents]')?.dataset.captchaParents.split(' ').filter(Boolean) ?? [];
      if (window.parent !== window) {
        for (const origin of parents) window.parent.postMessage({ type: 'agate.captcha', captcha }, origin);
      }
      setTimeout(() => void run(element, renewed), RENEW_AFTER_MS);
    } catch {
      // Browsers provide crypto.subtle only on https pages and on localhost.
      status.textContent = element.dataset.failed;
    }
  };

  const elements = document.querySelectorAll('[data-captcha]');
  for (const element of elements) void run(element, () => JSON.parse(element.dataset.captcha));

  // The browser restored a form that was sent before, so its challenge is used up.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const element of elements) void run(element, renewed);
  });
})();
