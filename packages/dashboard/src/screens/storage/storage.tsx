export function Storage() {
  return <h1>Storage</h1>;
}
