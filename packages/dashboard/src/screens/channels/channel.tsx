export function Channel() {
  return <h1>Channel</h1>;
}
