export function OrganizationSettings() {
  return <h1>OrganizationSettings</h1>;
}
