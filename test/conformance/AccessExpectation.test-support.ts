/**
 * The scopes and permissions that `docs/access.md` expects. One request with a token that has all others shows that none
 * of them suffices, because a token with more scopes or permissions is let in wherever each of them is.
 */

/** Scopes in a public and in a private repository, or only the first of both if they are equal. */
export interface Expectation {
  readonly scopes: ReadonlyArray<ReadonlyArray<string>>
  /** Permissions with the lowest level that suffices, for example `contents=read`. */
  readonly permissions: ReadonlyArray<string>
}

const list = (cell: string) => (cell === "any" || cell === "none" ? [] : cell.split(", "))

/** Reads the last two columns of the page. */
export const parse = (page: string): ReadonlyMap<string, Expectation> =>
  new Map(
    page
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.slice(2, -2).split(" | "))
      .map((cells) => [
        cells[0] ?? "",
        { scopes: (cells.at(-2) ?? "").split(" / ").map(list), permissions: list(cells.at(-1) ?? "") }
      ])
  )

/** Name of the token without these scopes and with all others. */
export const tokenWithoutScopes = (scopes: ReadonlyArray<string>): string => `no-scope-${scopes.toSorted().join(",")}`

/** Name of the token without these permissions, or with a level below, and with all others. */
export const tokenWithoutPermissions = (permissions: ReadonlyArray<string>): string =>
  `no-permission-${permissions.toSorted().join(",")}`

/** The permissions of the token that `tokenWithoutPermissions` names. */
export const otherPermissions = (
  all: ReadonlyArray<string>,
  permissions: ReadonlyArray<string>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    all.flatMap((name) =>
      permissions.includes(`${name}=read`) ? [] : [[name, permissions.includes(`${name}=write`) ? "read" : "write"]]
    )
  )
