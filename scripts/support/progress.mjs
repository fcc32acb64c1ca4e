const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const PLAIN_LINE_MS = 10_000;

/** Runs a long task and shows progress: a spinner on a terminal, else a line every ten seconds. */
export async function step(title, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const show = process.stdout.isTTY ? spinner(title, seconds) : plainLines(title, seconds);
  try {
    await work();
    show.end(`✔ ${title} (${seconds()})`);
  } catch (error) {
    show.end(`✖ ${title} (${seconds()})`);
    throw error;
  }
}

function spinner(title, seconds) {
  let frame = 0;
  const draw = () => process.stdout.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${title} … ${seconds()}`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    end(line) {
      clearInterval(timer);
      process.stdout.write(`\r\x1b[2K${line}\n`);
    },
  };
}

function plainLines(title, seconds) {
  console.log(`${title} …`);
  const timer = setInterval(() => console.log(`${title} … ${seconds()}`), PLAIN_LINE_MS);
  return {
    end(line) {
      clearInterval(timer);
      console.log(line);
    },
  };
}
