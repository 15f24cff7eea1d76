/** Measures which callers a route lets in. Independent of the access that the contract declares. */
import * as Effect from "effect/Effect"
import type * as Forge from "@tongs/service/main/Forge.test-support"
import * as AccessExpectation from "./AccessExpectation.test-support.ts"
import {
  AccessForge,
  callers,
  equals,
  expectations,
  permissions,
  scopes,
  tokenOfPermission,
  tokenOfScope,
  type Visibility
} from "./AccessForge.test-support.ts"

/** A request of the matrix. */
export interface Target {
  readonly name: string
  /** Sends the request with a token, and returns the status. */
  readonly send: (token: string | null) => Effect.Effect<number, never, Forge.TestForge | AccessForge>
  /** True if the access is measured in a public and in a private repository. */
  readonly inRepository: boolean
  /** True if a success changes the forge, which then returns to the copy. */
  readonly changes: boolean
  /** True if no token has an effect, not even an invalid one. */
  readonly ignoresTokens: boolean
  /** The token that must be let in: by default the token of the owner. */
  readonly control: string
}

/** The access to a target. Lists have an element for each visibility. */
export interface Row {
  readonly target: Target
  /** The status of each caller. */
  readonly statuses: ReadonlyMap<string, ReadonlyArray<number>>
  /** The status of the call that must succeed. */
  readonly control: ReadonlyArray<number>
  /** Scopes that suffice alone. */
  readonly scopes: ReadonlyArray<ReadonlyArray<string>>
  /** Permissions that suffice alone, in a private repository. */
  readonly permissions: ReadonlyArray<string>
  /** Callers whose status differs from the status of a caller with the same rights. */
  readonly unequal: ReadonlyArray<string>
}

/** True for an operation on what belongs to named accounts, such as reviewers, whatever the roles of the others. */
const isPersonal = (name: string) =>
  /^(reactions\.delete|reviews\.(deletePending|submit)$|pendingDeployments\.review$)/.test(name)

type Sends = (token: string) => Effect.Effect<boolean, never, Forge.TestForge | AccessForge>

/** True if each of these tokens is let in, and the other token is not. */
const isAsExpected = Effect.fnUntraced(function* (isSufficient: Sends, tokens: ReadonlyArray<string>, other: string) {
  if (yield* isSufficient(other)) return false
  for (const token of tokens) if (!(yield* isSufficient(token))) return false
  return true
})

/** The scopes that suffice alone. If they are not those expected, all are tried. */
const scopesOf = Effect.fnUntraced(function* (isSufficient: Sends, expected: ReadonlyArray<string>) {
  const other = AccessExpectation.tokenWithoutScopes(expected)
  if (yield* isAsExpected(isSufficient, expected.map(tokenOfScope), other)) return expected
  return yield* Effect.filter(scopes, (scope) => isSufficient(tokenOfScope(scope)))
})

/** The permissions that suffice alone, with the lowest level. If they are not those expected, all are tried. */
const permissionsOf = Effect.fnUntraced(function* (isSufficient: Sends, expected: ReadonlyArray<string>) {
  const other = AccessExpectation.tokenWithoutPermissions(expected)
  const tokens = expected.map((one) => {
    const [name = "", level = ""] = one.split("=")
    return tokenOfPermission(name, level)
  })
  if (yield* isAsExpected(isSufficient, tokens, other)) return expected
  const levels: Array<string> = []
  for (const permission of permissions) {
    if (!(yield* isSufficient(tokenOfPermission(permission, "write")))) continue
    const level = (yield* isSufficient(tokenOfPermission(permission, "read"))) ? "read" : "write"
    levels.push(`${permission}=${level}`)
  }
  return levels
})

const measure = Effect.fnUntraced(function* (target: Target, visibility: Visibility) {
  const { restore } = yield* AccessForge
  const { changes, inRepository, name, send } = target
  const status = Effect.fnUntraced(function* (token: string | null) {
    const result = yield* send(token)
    if (changes && result < 400) yield* restore(visibility)
    return result
  })
  const statuses = new Map<string, number>()
  for (const [caller, token] of callers) statuses.set(caller, yield* status(token))
  const [isKnown] = callers.filter(([, token]) => token === target.control)
  const control = (isKnown && statuses.get(isKnown[0])) ?? (yield* status(target.control))
  const isSufficient = (token: string) => Effect.map(status(token), (result) => result === control)
  // A route that needs no scope or permission accepts any scope and permission.
  const needsNoScope = statuses.get("no scope") === control
  const expected = expectations.get(name) ?? { scopes: [], permissions: [] }
  const expectedScopes = expected.scopes.at(visibility === "public" ? 0 : -1) ?? []
  const sufficient = needsNoScope ? scopes : yield* scopesOf(isSufficient, expectedScopes)
  const levels: Array<string> = []
  const unequal: Array<string> = []
  if (visibility === "private") {
    const needsNoPermission = statuses.get("no permission") === control
    levels.push(...(needsNoPermission ? permissions : yield* permissionsOf(isSufficient, expected.permissions)))
    for (const [caller, token, like] of inRepository ? equals : []) {
      const own = yield* status(token)
      const other = statuses.get(like)
      if (own !== other && !isPersonal(name)) unequal.push(`${name}: ${caller} gets ${own}, ${like} gets ${other}`)
    }
    const expired = yield* status("expired")
    if (expired !== 401 && !target.ignoresTokens) unequal.push(`${name}: an expired token gets ${expired}`)
  }
  return { statuses, control, scopes: sufficient, permissions: levels, unequal }
})

/** Measures all targets, first with a public repository, then with a private one. */
export const measureAll = Effect.fnUntraced(function* (targets: ReadonlyArray<Target>) {
  const { restore } = yield* AccessForge
  const rows = new Map<string, Row>()
  for (const visibility of ["public", "private"] as const) {
    yield* restore(visibility)
    for (const target of targets) {
      if (visibility === "public" && !target.inRepository) continue

      const measured = yield* measure(target, visibility)

      const before = rows.get(target.name)
      rows.set(target.name, {
        target,
        statuses: new Map(
          [...measured.statuses].map(([caller, status]) => [caller, [...(before?.statuses.get(caller) ?? []), status]])
        ),
        control: [...(before?.control ?? []), measured.control],
        scopes: [...(before?.scopes ?? []), measured.scopes],
        permissions: measured.permissions,
        unequal: measured.unequal
      })
    }
  }
  return targets.flatMap(({ name }) => rows.get(name) ?? [])
})
