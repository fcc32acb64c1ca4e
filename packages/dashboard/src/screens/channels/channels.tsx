export function Channels() {
  return <h1>Channels</h1>;
}
