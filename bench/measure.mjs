// What the benches share: servers in processes of their own, so that their CPU and memory can be told from the client's.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts `file` with one argument; it answers 'ready' with a port, and 'usage' when asked. */
export async function startServer(file, name) {
  const child = fork(file, ['--serve', name]);
  const [{ port }] = await once(child, 'message');
  const usage = async () => {
    child.send('usage');
    return (await once(child, 'message'))[0];
  };
  return { name, port, usage, resetPeak: () => child.send('reset'), stop: () => child.disconnect() };
}

/** The other half, inside the server's process. */
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

/** What `work` counts, how its speed is named and in what it is told, and the same of the CPU it costs. */
const BYTES = { speed: 'MB/s', speedUnit: 1e6, cpu: 'CPU s/GB', cpuUnit: 1e-9 };
export const REQUESTS = { speed: 'requests/s', speedUnit: 1, cpu: 'CPU ms', cpuUnit: 1e-3 };

/**
 * Runs `work(server)` (which returns the bytes it moved, or whatever else `unit` counts) on the servers in turn, `rounds` times after
 * one to warm up, and prints medians: speed, CPU of the server, and both as ratios to the first server.
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
    return { name, speed: median(runs.map((run) => run.speed)), cpu: median(runs.map((run) => run.cpu)) };
  });
  const [anchor] = summary;
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      summary.map(({ name, speed, cpu }) => [
        name,
        {
          [unit.speed]: Math.round(speed),
          [`ratio ${unit.speed}`]: (speed / anchor.speed).toFixed(2),
          [unit.cpu]: cpu.toFixed(2),
          'ratio CPU': (cpu / anchor.cpu).toFixed(2),
        },
      ]),
    ),
  );
}
