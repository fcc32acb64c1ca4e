export function ProjectTokens() {
  return <h1>ProjectTokens</h1>;
}
