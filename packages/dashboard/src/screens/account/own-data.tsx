export function OwnData() {
  return <h1>OwnData</h1>;
}
