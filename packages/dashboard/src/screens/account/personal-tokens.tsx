export function PersonalTokens() {
  return <h1>PersonalTokens</h1>;
}
