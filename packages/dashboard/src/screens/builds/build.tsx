export function Build() {
  return <h1>Build</h1>;
}
