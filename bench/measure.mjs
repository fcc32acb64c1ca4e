// Servers in processes of their own, so that their CPU time and memory are measured separately from the client's.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Forks `file` with `--serve name`. The file calls `serve`, which sends the port and, on request, the usage. */
export async function startServer(file, name) {
  const child = fork(file, ['--serve', name]);
  const [{ port }] = await once(child, 'message');
  const usage = async () => {
    child.send('usage');
    return (await once(child, 'message'))[0];
  };
  return { name, port, usage, resetPeak: () => child.send('reset'), stop: () => child.disconnect() };
}

/** Starts a server in a process forked by `startServer`. */
export async function serve(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let peakRss = 0;
  setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 20).unref();
  process.on('message', (message) => {
    if (message === 'reset') peakRss = 0;
    else process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss(), peakRss });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port });
}

const seconds = ({ user, system }) => (user + system) / 1e6;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const range = (values) => `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

/** The units in which `compare` prints speed and CPU time, for work that counts bytes or requests. */
const BYTES = { speed: 'MB/s', speedUnit: 1e6, cpu: 'CPU s/GB', cpuUnit: 1e-9 };
export const REQUESTS = { speed: 'requests/s', speedUnit: 1, cpu: 'CPU ms', cpuUnit: 1e-3 };

/**
 * Runs `work(server)` on the servers in turn, `rounds` times after a warm-up round, and prints the medians of speed and of the server's
 * CPU time, their ratios to the first server, and the range of the rounds' ratios. `work` returns the number of bytes or requests, according
 * to `unit`.
 */
export async function compare(title, servers, rounds, work, unit = BYTES) {
  const results = new Map(servers.map((server) => [server.name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const server of servers) {
      const before = await server.usage();
      const started = performance.now();
      const count = await work(server);
      const elapsed = (performance.now() - started) / 1000;
      const cpu = seconds((await server.usage()).cpu) - seconds(before.cpu);
      if (round > 0)
        results.get(server.name).push({ speed: count / unit.speedUnit / elapsed, cpu: cpu / count / unit.cpuUnit });
    }
  }
  const summary = servers.map(({ name }) => {
    const runs = results.get(name);
    const first = results.get(servers[0].name);
    return {
      name,
      speed: median(runs.map((run) => run.speed)),
      cpu: median(runs.map((run) => run.cpu)),
      speeds: range(runs.map((run, round) => run.speed / first[round].speed)),
      cpus: range(runs.map((run, round) => run.cpu / first[round].cpu)),
    };
  });
  const [reference] = summary;
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      summary.map(({ name, speed, cpu, speeds, cpus }) => [
        name,
        {
          [unit.speed]: Math.round(speed),
          [`ratio ${unit.speed}`]: (speed / reference.speed).toFixed(2),
          rounds: speeds,
          [unit.cpu]: cpu.toFixed(2),
          'ratio CPU': (cpu / reference.cpu).toFixed(2),
          'rounds CPU': cpus,
        },
      ]),
    ),
  );
}
