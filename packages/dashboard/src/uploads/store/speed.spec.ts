import { Speed } from './speed';

describe('the speed of an upload', () => {
  it('is unknown at first, then that of the last seconds', () => {
    const speed = new Speed();
    speed.note(0, 0);
    speed.note(1_000_000, 1_000);
    expect(speed.bytesPerSecond).toBeNull();
    speed.note(2_000_000, 2_000);
    expect(speed.bytesPerSecond).toBe(1_000_000);
    for (let second = 3; second <= 20; second++) speed.note(2_000_000 + (second - 2) * 4_000_000, second * 1_000);
    expect(speed.bytesPerSecond).toBe(4_000_000);
  });

  // red when: the pause counts as slow sending
  it('is measured again from the beginning after a pause', () => {
    const speed = new Speed();
    speed.note(0, 0);
    speed.note(8_000_000, 2_000);
    speed.reset();
    speed.note(8_000_000, 60_000);
    expect(speed.bytesPerSecond).toBeNull();
    speed.note(12_000_000, 62_000);
    expect(speed.bytesPerSecond).toBe(2_000_000);
  });
});
