/** From a command line to the flat input of an operation. */
import * as Effect from "effect/Effect"
import type { Entry, Field } from "@tongs/core/contract/Catalog"
import { kebab } from "@tongs/core/contract/Operation"
import * as FileInput from "../base/FileInput.ts"
import * as Flags from "../session/Flags.ts"
import * as RepositoryName from "../base/RepositoryName.ts"
import { UsageError } from "../base/UsageError.ts"

export interface Given {
  /** Values of flags by the names of their fields; what was not given is undefined. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly words: ReadonlyArray<string>
  /** A file with the whole body as JSON; `-` is stdin. */
  readonly input: string | undefined
}

type Input = Record<string, unknown>

/** Names of the flags that operations have beside those of their fields. */
export const ownFlags = ["input", "media-type", "output", "limit", "all", "yes"] as const // names, as a type
export type OwnFlag = (typeof ownFlags)[number]

const taken: ReadonlySet<string> = new Set([...Flags.reserved, ...ownFlags])

/** The flag of a field: its name, or `field-NAME` if the command has a flag of that name. */
export const flagName = ({ name }: Pick<Field, "name">): string =>
  taken.has(kebab(name)) ? `field-${kebab(name)}` : kebab(name)

/** Whether the operation is one on a repository. */
export const isOnRepository = ({ fields }: Entry): boolean =>
  (["owner", "repo"] as const).every((name) => fields.some((field) => field.name === name && field.in === "path")) // the names

/** The path's fields beside owner and repository: what words of the command line stand for, in order. */
export const positional = (entry: Entry): ReadonlyArray<Field> =>
  entry.fields.filter(
    (field) => field.in === "path" && !(isOnRepository(entry) && (field.name === "owner" || field.name === "repo"))
  )

/**
 * The input that was given.
 *
 * **Details**
 *
 * Words are the path's fields in order. One word more than the fields that are not given by flags is the repository, as
 * `OWNER/REPO`, and comes first; without it the repository is the one at hand.
 */
export const make = Effect.fnUntraced(function* (
  entry: Entry,
  given: Given,
  here: RepositoryName.RepositoryName | undefined
) {
  const input: Input = {}
  if (given.input !== undefined) Object.assign(input, yield* wholeBody(given.input))
  for (const field of entry.fields) {
    const value = given.fields[field.name]
    if (value !== undefined) input[field.name] = yield* read(field, value)
  }
  yield* splitRepo(entry, input)
  yield* words(entry, given.words, input, here)
  if (isOnRepository(entry) && input.owner === undefined && input.repo === undefined && here !== undefined) {
    Object.assign(input, here)
  }
  const missing = entry.fields.filter((field) => field.required && input[field.name] === undefined)
  if (missing.length > 0) return yield* isMissing(missing)
  return input
})

/** `--repo OWNER/NAME` names both. */
const splitRepo = (entry: Entry, input: Input) => {
  const { repo } = input
  if (!isOnRepository(entry) || typeof repo !== "string" || !repo.includes("/")) return Effect.void
  if (input.owner !== undefined) {
    return new UsageError({
      detail: "--owner and --repo OWNER/NAME both name an owner.",
      hint: "Leave out --owner."
    })
  }
  return Effect.map(RepositoryName.parse(repo), (place) => void Object.assign(input, place))
}

const words = Effect.fnUntraced(function* (
  entry: Entry,
  given: ReadonlyArray<string>,
  input: Input,
  here: RepositoryName.RepositoryName | undefined
) {
  const open = positional(entry).filter((field) => input[field.name] === undefined)
  const needed = here === undefined ? open.filter((field) => field.required) : open
  const takesPlace = isOnRepository(entry) && input.owner === undefined && input.repo === undefined
  let rest = given
  const [first] = given
  if (takesPlace && first !== undefined && given.length > needed.length) {
    Object.assign(input, yield* RepositoryName.parse(first))
    rest = given.slice(1)
  }
  for (const field of open) {
    const [word, ...others] = rest
    if (word === undefined) break
    input[field.name] = yield* read(field, word)
    rest = others
  }
  const [extra] = rest
  if (extra !== undefined) {
    return yield* new UsageError({
      detail: `${JSON.stringify(extra)} is one word too many.`,
      hint: "Words stand for the repository and for what the flags leave open."
    })
  }
})

const isMissing = (missing: ReadonlyArray<Field>) => {
  const lines = missing.map(
    (field) => `  --${flagName(field)}${field.description === "" ? "" : `  ${field.description}`}`
  )
  const noPlace = missing.some((field) => field.name === "owner" || field.name === "repo")
  return new UsageError({
    detail: `Missing: ${missing.map((field) => kebab(field.name)).join(", ")}.`,
    hint: noPlace ? "Name the repository as OWNER/REPO, or run the command in one." : `Add\n${lines.join("\n")}`
  })
}

const wholeBody = Effect.fnUntraced(function* (file: string) {
  const body = yield* FileInput.parseJson("--input", yield* FileInput.readText(file))
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body
  return yield* new UsageError({ detail: "--input is not an object.", hint: 'Write it as {"name": "value"}.' })
})

/** A value as the contract has it: structures are JSON. */
const read = (field: Field, value: unknown): Effect.Effect<unknown, UsageError> => {
  switch (field.kind) {
    case "object":
      return FileInput.parseJson(`--${flagName(field)}`, String(value))
    case "strings": {
      const [only = "", ...more] = Array.isArray(value) ? value.map(String) : [String(value)]
      return more.length === 0 && only.startsWith("[")
        ? FileInput.parseJson(`--${flagName(field)}`, only)
        : Effect.succeed([only, ...more])
    }
    case "integer":
      return typeof value === "number" || /^-?\d+$/.test(String(value))
        ? Effect.succeed(Number(value))
        : Effect.fail(
            new UsageError({
              detail: `${kebab(field.name)} is a whole number, not ${JSON.stringify(value)}.`,
              hint: ""
            })
          )
    case "boolean":
    case "string":
      return Effect.succeed(value)
  }
}
