/** The header `Git-Protocol`, with which a client requests a version of git's protocol. */

/** Returns the environment variable `GIT_PROTOCOL` for a header. Ignores anything except a version. */
export const environment = (header: string | undefined): Readonly<Record<string, string>> => {
  const version = of(header)
  return version === 0 ? {} : { GIT_PROTOCOL: `version=${version}` }
}

/** Returns the highest supported version in a header, 0 without one. */
export const of = (header: string | undefined): 0 | 1 | 2 => {
  const versions = (header ?? "").split(":")
  return versions.includes("version=2") ? 2 : versions.includes("version=1") ? 1 : 0
}
