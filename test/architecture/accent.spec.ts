import { accentShades, contrastOfAccent as shownContrast } from '../../packages/dashboard/src/screens/branding/accent';
import { accentTheme, contrastOfAccent } from '../../src/infra/pages/accent';

describe('the contrast of an accent', () => {
  // red when: a ground, the step or the formula differs between the service and the dashboard
  it('is the same in the dashboard, which warns, and in the service, which refuses', () => {
    for (let number = 0; number < 0x1000000; number += 0x1357) {
      const accent = `#${number.toString(16).padStart(6, '0')}`;
      expect([accent, shownContrast(accent)]).toEqual([accent, contrastOfAccent(accent)]);
      const { light, dark } = accentTheme(accent);
      expect(accentShades(accent)).toEqual({
        light: { accent: light.accent, onAccent: light.onAccent },
        dark: { accent: dark.accent, onAccent: dark.onAccent },
      });
    }
  });
});
