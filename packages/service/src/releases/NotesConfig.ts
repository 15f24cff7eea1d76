/** The configuration of generated notes: `.github/release.yml` of the repository. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as YamlText from "../base/YamlText.ts"
import type { GitRepository } from "../git/GitRepository.ts"

/** Labels and authors, in lower case. */
export interface Exclusion {
  readonly labels: ReadonlyArray<string>
  readonly authors: ReadonlyArray<string>
}

/** A section of the notes. The label `*` stands for any. */
export interface Category {
  readonly title: string
  readonly labels: ReadonlyArray<string>
  readonly exclude: Exclusion
}

export interface NotesConfig {
  readonly exclude: Exclusion
  readonly categories: ReadonlyArray<Category>
}

/** A configuration and the path of its file. */
export interface FoundConfig {
  readonly path: string
  readonly config: NotesConfig
}

const MAX_SIZE = 65_536
const MAX_CATEGORIES = 100
const MAX_NAMES = 1000

const defaultPaths = [".github/release.yml", ".github/release.yaml"] as const // a list of literals

const memberOf = (value: unknown, name: string): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const namesOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.slice(0, MAX_NAMES).flatMap((one) => (Predicate.isObject(one) ? [] : [String(one).toLowerCase()]))
    : []

const exclusionOf = (value: unknown): Exclusion => ({
  labels: namesOf(memberOf(value, "labels")),
  authors: namesOf(memberOf(value, "authors"))
})

/** Reads the parsed file. Members of an unexpected type count as absent. */
export const of = (file: unknown): NotesConfig => {
  const changelog = memberOf(file, "changelog")
  const categories = memberOf(changelog, "categories")
  return {
    exclude: exclusionOf(memberOf(changelog, "exclude")),
    categories: (Array.isArray(categories) ? categories.slice(0, MAX_CATEGORIES) : []).map((one: unknown) => ({
      title: textOf(memberOf(one, "title")),
      labels: namesOf(memberOf(one, "labels")),
      exclude: exclusionOf(memberOf(one, "exclude"))
    }))
  }
}

/**
 * Reads the configuration at a commit, by default from `.github/release.yml` or `.github/release.yaml`. Undefined
 * without a file that can be parsed.
 */
export const read = Effect.fnUntraced(function* (git: GitRepository, commit: string, given: string | undefined) {
  for (const path of given === undefined ? defaultPaths : [given]) {
    const entry = yield* Effect.orElseSucceed(git.entryAt(commit, path), () => undefined)
    if (entry?.kind !== "file") continue
    const info = yield* git.info(entry.oid)
    const blob = info === undefined || info.size > MAX_SIZE ? undefined : yield* git.blob(entry.oid)
    if (blob === undefined) continue
    const file = yield* YamlText.parse(blob.bytes)
    if (file !== undefined) return { path, config: of(file) } satisfies FoundConfig
  }
  return undefined
})
