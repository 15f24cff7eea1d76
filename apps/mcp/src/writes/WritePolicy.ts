/** Restricts writes to the owners and repositories of `--allow-owner` and `--allow-repo`. */
import * as QuotedText from "../text/QuotedText.ts"
import type { WriteTarget } from "./WriteTarget.ts"

/** The owners and repositories that writes may change. Without any, writes may change everything. */
export interface Allowlist {
  /** Owners whose data writes may change, together with `allowRepositories`. */
  readonly allowOwners?: ReadonlyArray<string>
  /** Repositories that writes may change, as `owner/name`. */
  readonly allowRepositories?: ReadonlyArray<string>
}

/** Returns true if writes are restricted. */
export const isRestricted = ({ allowOwners = [], allowRepositories = [] }: Allowlist): boolean =>
  allowOwners.length + allowRepositories.length > 0

/**
 * Returns why a write may not change a target, and which flag would allow the write; undefined if the write may run.
 * `login` is the signed-in user, if known.
 */
export const refusal = (allowed: Allowlist, target: WriteTarget, login: string | undefined): string | undefined => {
  const known = resolve(target, login)
  if (!isRestricted(allowed) || isCovered(allowed, known)) return undefined
  const flag = flagFor(known)
  return [
    `this server may not change ${describe(known)}, only ${list(allowed)}.`,
    flag === undefined
      ? "To allow it, the user can start the server without --allow-owner and --allow-repo."
      : `To allow it, the user can start the server with ${flag} too.`
  ].join(" ")
}

/** Replaces the signed-in user by the login. */
const resolve = (target: WriteTarget, login: string | undefined): WriteTarget => {
  if (target.kind !== "self" || login === undefined) return target
  return target.repository === undefined
    ? { kind: "owner", owner: login }
    : { kind: "repository", owner: login, name: target.repository }
}

const isCovered = ({ allowOwners = [], allowRepositories = [] }: Allowlist, target: WriteTarget): boolean => {
  if (target.kind === "self" || target.kind === "other") return false
  if (allowOwners.some((owner) => isSameName(owner, target.owner))) return true
  return (
    target.kind === "repository" &&
    // The name could contain a slash, so compare owner and name separately.
    allowRepositories.some((repository) => {
      const [owner = "", name = ""] = repository.split("/")
      return isSameName(owner, target.owner) && isSameName(name, target.name)
    })
  )
}

/** Compares names like forges: ignores the case of ASCII letters, but not of other letters. */
const isSameName = (one: string, other: string): boolean => lowerCase(one) === lowerCase(other)

const lowerCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const describe = (target: WriteTarget): string => {
  switch (target.kind) {
    case "repository":
      return quote(`${target.owner}/${target.name}`)
    case "owner":
      return `the settings of ${quote(target.owner)}`
    case "self":
      return "the account of the signed-in user"
    case "other":
      return quote(target.description)
  }
}

const flagFor = (target: WriteTarget): string | undefined => {
  if (target.kind === "owner") return isName(target.owner) ? `--allow-owner ${target.owner}` : undefined
  if (target.kind !== "repository" || !isName(target.owner) || !isName(target.name)) return undefined
  return `--allow-repo ${target.owner}/${target.name}`
}

const isName = (text: string): boolean => /^[\w.-]{1,100}$/.test(text)

const quote = (text: string): string => (/^[\w ./:-]{1,200}$/.test(text) ? text : QuotedText.quote(text, 200))

const list = ({ allowOwners = [], allowRepositories = [] }: Allowlist): string =>
  [...allowOwners.map((owner) => `data of ${owner}`), ...allowRepositories].join(", ")
