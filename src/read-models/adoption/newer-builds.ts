/**
 * SQL that compares builds as update checks do (`relationOf` in the updates module): numbers by value; on Android the build number and
 * then the version, on other platforms the version and then the build number. A build number that one of the two lacks is not compared.
 * Builds with another bundle id are other apps. Arguments are SQL, never input.
 */

/** The number of parts of a version that are compared. */
const PARTS = 24;

/**
 * A version as an array that sorts like `compareVersions` of the builds module. A word is `0` and the word. A number is `1`, the number of
 * its digits in three digits, and the digits, so 0 is `1000`.
 */
const sortKeyOf = (version: string): string => `
  CASE WHEN ${version} IS NOT NULL THEN (
    SELECT (coalesce(array_agg(CASE WHEN part[1] ~ '^[a-z]' THEN '0' || part[1]
                                    ELSE '1' || lpad(length(ltrim(part[1], '0'))::text, 3, '0') || ltrim(part[1], '0') END
                               ORDER BY place), '{}') || array_fill('1000'::text, ARRAY[${PARTS}]))[1:${PARTS}]
    FROM regexp_matches(regexp_replace(lower(${version}), '^v(?=[0-9])', ''), '[0-9]+|[a-z]+', 'g') WITH ORDINALITY AS m (part, place)
  ) END`;

/** The columns of a build that `isNewer` compares, beside its platform. */
export const comparedColumns = (build: string): string => `
  ${build}.artifact->>'bundleId' AS app, ${sortKeyOf(`${build}.version`)} AS version_key,
  ${sortKeyOf(`${build}.build_number`)} AS number_key`;

/** Whether the build of the row `a` is newer than that of `b`. Both rows have the compared columns and a column `platform`, the same one. */
export const isNewer = (a: string, b: string): string => `(
  ${a}.app IS NOT DISTINCT FROM ${b}.app AND CASE
    WHEN ${a}.number_key IS NULL OR ${b}.number_key IS NULL THEN ${a}.version_key > ${b}.version_key COLLATE "C"
    WHEN ${b}.platform = 'android' THEN ${a}.number_key || ${a}.version_key > (${b}.number_key || ${b}.version_key) COLLATE "C"
    ELSE ${a}.version_key || ${a}.number_key > (${b}.version_key || ${b}.number_key) COLLATE "C" END)`;
