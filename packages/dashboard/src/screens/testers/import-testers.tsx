export function ImportTesters() {
  return <h1>ImportTesters</h1>;
}
