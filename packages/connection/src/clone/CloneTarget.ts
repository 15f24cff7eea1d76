/** Decides which repositories of an account are cloned. Everything in a listed repository is untrusted. */
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import { isRepositoryName } from "@tongs/service/repositories/RepositoryRegistry"

/** The repositories of an account to clone. */
export interface Selection {
  /** Login of the organization or user. */
  readonly owner: string
  /** Patterns of names such as `web-*`. Empty for all names. */
  readonly include: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  /** True to clone forks, too. */
  readonly forks: boolean
}

/** A repository to clone. */
export interface CloneTarget {
  readonly remoteId: number
  readonly name: string
  /** The URL to clone from, which is on the forge's origin. */
  readonly url: URL
  readonly private: boolean
  readonly archived: boolean
  readonly description: string | null
  readonly topics: ReadonlyArray<string>
  readonly defaultBranch: string | undefined
  /** ISO 8601. Null if the forge omits the time: then each run fetches. */
  readonly pushedAt: string | null
  /** Size in bytes, according to the forge. */
  readonly size: number
}

/** The decision about a listed repository. `Refused` has a reason to report. */
export type Choice =
  | { readonly _tag: "Clone"; readonly target: CloneTarget }
  | { readonly _tag: "Skipped" }
  | { readonly _tag: "Refused"; readonly reason: string }

/** True for a login that can be the name of a folder. */
export const isLogin = (login: string): boolean => isRepositoryName(login) && /^[A-Za-z0-9]/.test(login)

/** Returns whether to clone a listed repository of the forge whose API is at `baseUrl`. */
export const choose = (repository: MinimalRepository, selection: Selection, baseUrl: string): Choice => {
  const { clone_url: cloneUrl, name, owner } = repository
  if (owner.login.toLowerCase() !== selection.owner.toLowerCase()) return { _tag: "Skipped" }
  if (!isRepositoryName(name)) return refused("its name cannot be the name of a repository")
  if (repository.fork && !selection.forks) return { _tag: "Skipped" }
  if (selection.include.length > 0 && !selection.include.some((pattern) => matches(pattern, name))) {
    return { _tag: "Skipped" }
  }
  if (selection.exclude.some((pattern) => matches(pattern, name))) return { _tag: "Skipped" }
  if (repository.disabled === true) return refused("the forge has disabled it")
  const url = cloneUrl === undefined || !URL.canParse(cloneUrl) ? undefined : new URL(cloneUrl)
  if (url === undefined) return refused("the forge sends no valid clone_url")
  if (!isOwnUrl(url, new URL(baseUrl))) return refused("its clone_url is not on the forge itself")
  return {
    _tag: "Clone",
    target: {
      remoteId: repository.id,
      name,
      url,
      private: repository.private,
      archived: repository.archived === true,
      description: repository.description,
      topics: repository.topics ?? [],
      defaultBranch: repository.default_branch,
      pushedAt: repository.pushed_at ?? null,
      size: (repository.size ?? 0) * 1024
    }
  }
}

/**
 * True if a URL is on the forge's own origin, which may receive the token. An API at `https://api.HOST` belongs to
 * `https://HOST`.
 */
export const isOwnUrl = (url: URL, base: URL): boolean => {
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return false
  if (url.protocol !== "https:" && url.protocol !== "http:") return false
  return (
    url.origin === base.origin ||
    (base.protocol === "https:" &&
      base.hostname.startsWith("api.") &&
      url.origin === base.origin.replace("//api.", "//"))
  )
}

/** True if a name matches a pattern, in which `*` is any text and `?` any character. Ignores case. */
export const matches = (pattern: string, name: string): boolean => {
  // Without regular expressions: a pattern with many asterisks would take exponential time.
  const [first = "", ...rest] = pattern.toLowerCase().split(/\*+/)
  let text = name.toLowerCase()
  if (!startsWith(text, first)) return false
  if (rest.length === 0) return text.length === first.length
  text = text.slice(first.length)
  const last = rest.pop() ?? ""
  for (const part of rest) {
    let at = 0
    while (at + part.length <= text.length && !startsWith(text.slice(at), part)) at++
    if (at + part.length > text.length) return false
    text = text.slice(at + part.length)
  }
  return text.length >= last.length && startsWith(text.slice(text.length - last.length), last)
}

const startsWith = (text: string, part: string) =>
  text.length >= part.length && [...part].every((character, at) => character === "?" || character === text[at])

const refused = (reason: string): Choice => ({ _tag: "Refused", reason })
