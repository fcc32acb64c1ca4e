/** The processor time in milliseconds that this process needs for some work. Unlike elapsed time, it does not grow when others are busy. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
