export function Testers() {
  return <h1>Testers</h1>;
}
