export function BuildDownloads() {
  return <h1>BuildDownloads</h1>;
}
