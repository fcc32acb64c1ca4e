export function Security() {
  return <h1>Security</h1>;
}
