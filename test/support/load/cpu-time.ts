/** The processor time in milliseconds that some work takes. Unlike elapsed time, it does not grow when other processes are busy. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
