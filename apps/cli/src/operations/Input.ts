/** Converts the command line of an operation to the input of the request. */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import type * as Stdio from "effect/Stdio"
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"
import * as TextContent from "@tongs/core/contract/TextContent"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as FileInput from "../base/FileInput.ts"
import * as Flags from "../session/Flags.ts"
import * as RepositoryName from "../base/RepositoryName.ts"
import { UsageError } from "../base/UsageError.ts"

/** The parsed flags and arguments of an operation's command. */
export interface CommandArguments {
  /** Values of flags by field name; undefined for missing flags. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly words: ReadonlyArray<string>
  /** Path of a file with the request body as JSON; `-` is stdin. */
  readonly input: string | undefined
}

type Input = Record<string, unknown>

/** Flags that commands of operations have besides the flags of the operation's fields. */
export const commandFlags = ["input", "media-type", "output", "limit", "all", "yes", "web"] as const // literal types
/** The name of a flag in `commandFlags`. */
export type CommandFlag = (typeof commandFlags)[number]

const taken: ReadonlySet<string> = new Set([...Flags.reserved, ...commandFlags])

/** Returns the flag of a field: the name, or `field-NAME` if the command already has a flag with this name. */
export const flagName = ({ name }: Pick<InputField, "name">): string =>
  taken.has(toKebabCase(name)) ? `field-${toKebabCase(name)}` : toKebabCase(name)

/** Returns true if the operation's path contains the owner and name of a repository. */
export const isOnRepository = ({ fields }: CatalogEntry): boolean =>
  (["owner", "repo"] as const).every((name) => fields.some((field) => field.name === name && field.in === "path")) // literal types

/** Returns the fields that positional arguments set, in order: the path fields except owner and repository. */
export const positional = (entry: CatalogEntry): ReadonlyArray<InputField> =>
  entry.fields.filter(
    (field) => field.in === "path" && !(isOnRepository(entry) && (field.name === "owner" || field.name === "repo"))
  )

/**
 * Creates the input of an operation. Fails with `UsageError` for missing or superfluous arguments.
 *
 * **Details**
 *
 * Positional arguments set, in order, the path fields without a flag. One additional argument is the repository
 * (`OWNER/REPO`) and comes first. The current repository is the default.
 */
export const make = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  given: CommandArguments,
  here: RepositoryName.RepositoryName | undefined
) {
  const input: Input = {}
  if (given.input !== undefined) Object.assign(input, yield* wholeBody(given.input))
  for (const field of entry.fields) {
    const value = given.fields[field.name]
    if (value === undefined) continue
    const { encodingField } = field
    const hasEncoding = encodingField !== undefined && given.fields[encodingField] !== undefined
    // Content with an explicit encoding is sent unchanged.
    input[field.name] = hasEncoding ? value : yield* read(field, value)
    if (encodingField !== undefined && !hasEncoding) input[encodingField] = "base64"
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

/** Splits `--repo OWNER/NAME` into owner and name. */
const splitRepo = (entry: CatalogEntry, input: Input) => {
  const { repo } = input
  if (!isOnRepository(entry) || typeof repo !== "string" || !repo.includes("/")) return Effect.void
  if (input.owner !== undefined) {
    return new UsageError({
      detail: "--owner conflicts with the owner in --repo OWNER/NAME.",
      hint: "Remove --owner."
    })
  }
  return Effect.map(RepositoryName.parse(repo), (place) => void Object.assign(input, place))
}

const words = Effect.fnUntraced(function* (
  entry: CatalogEntry,
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
      detail: `Unexpected argument ${JSON.stringify(extra)}.`,
      hint: "Arguments are the repository and the fields without a flag."
    })
  }
})

/** Description of the flag of a content. Omits that the API takes Base64, a detail that users need not know. */
const CONTENT = "Content of the file: a text, @FILE, @- for stdin, or data:;base64,… for Base64"

/** Returns the description of a field's flag. */
export const describe = ({ description, isBase64 }: Pick<InputField, "description" | "isBase64">): string =>
  isBase64 === true ? CONTENT : description

const isMissing = (missing: ReadonlyArray<InputField>) => {
  const lines = missing.map((field) => `  --${flagName(field)}${describe(field) === "" ? "" : `  ${describe(field)}`}`)
  const noPlace = missing.some((field) => field.name === "owner" || field.name === "repo")
  return new UsageError({
    detail: `Missing: ${missing.map((field) => toKebabCase(field.name)).join(", ")}.`,
    hint: noPlace ? "Pass a repository as OWNER/REPO, or run the command inside one." : `Add\n${lines.join("\n")}`
  })
}

const wholeBody = Effect.fnUntraced(function* (file: string) {
  const body = yield* FileInput.parseJson("--input", yield* FileInput.readText(file))
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body
  return yield* new UsageError({ detail: "--input is not an object.", hint: 'Write it as {"name": "value"}.' })
})

/**
 * Returns the content of a field in Base64: of a text, of `@FILE`, or of `@-` for stdin; `data:;base64,` is Base64
 * already.
 */
const content = (value: string) =>
  value.startsWith("@")
    ? Effect.map(FileInput.readBytes(value.slice(1)), (bytes) => Buffer.from(bytes).toString("base64"))
    : Effect.succeed(TextContent.encodeText(value))

/** Decodes the value of a field's flag. Parses objects and arrays of objects as JSON. */
const read = (
  field: InputField,
  value: unknown
): Effect.Effect<unknown, UsageError | PlatformError.PlatformError, FileSystem.FileSystem | Stdio.Stdio> => {
  if (field.isBase64 === true) return content(String(value))
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
              detail: `${toKebabCase(field.name)} must be a whole number, not ${JSON.stringify(value)}.`,
              hint: ""
            })
          )
    case "boolean":
    case "string":
      return Effect.succeed(value)
  }
}
