// Enhances pages that also work without script. Behaviour is bound to data attributes, not to particular pages.
(() => {
  const all = (selector) => document.querySelectorAll(selector);

  // An iPad that requests desktop sites sends the user agent of a Mac. Its touch screen distinguishes it.
  const isTouchMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  for (const element of all('[data-touch-mac]')) {
    element.hidden = (element.dataset.touchMac === 'yes') !== isTouchMac;
  }

  for (const element of all('[data-scripted]')) element.hidden = false;

  for (const button of all('button[data-copy]')) {
    const field = document.getElementById(button.dataset.copy);
    const label = button.querySelector('[data-label]');
    const before = label.textContent;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        field.select();
        document.execCommand('copy');
      }
      label.textContent = button.dataset.done;
      setTimeout(() => (label.textContent = before), 2500);
    });
  }

  // No event reports whether an installation started. Say what to expect and, after a while, open the help.
  for (const link of all('a[data-progress]')) {
    const status = document.getElementById(link.dataset.progress);
    link.addEventListener('click', () => {
      status.textContent = status.dataset.started;
      setTimeout(() => {
        if (document.visibilityState !== 'visible') return;
        status.textContent = status.dataset.stuck;
        const help = document.querySelector('details[data-first-help]');
        if (help) help.open = true;
      }, 8000);
    });
  }
})();
