export function ProjectSettings() {
  return <h1>ProjectSettings</h1>;
}
