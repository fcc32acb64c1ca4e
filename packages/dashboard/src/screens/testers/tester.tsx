export function Tester() {
  return <h1>Tester</h1>;
}
