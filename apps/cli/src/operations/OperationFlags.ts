/** Flags of the commands for operations: one for each input field, and the flags of `Input.commandFlags`. */
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"
import * as Operation from "@tongs/core/contract/Operation"
import * as Flags from "../session/Flags.ts"
import * as Download from "./Download.ts"
import * as WebPage from "./WebPage.ts"
import * as Input from "./Input.ts"

/** Creates the flags of an operation, as the config of `Command.make`. */
export const make = (entry: CatalogEntry) => {
  const { fields, operation } = entry
  assertUniqueFlags(entry)
  return {
    fields: Object.fromEntries(fields.map((field) => [field.name, fieldFlag(field)])),
    ...(fields.some((field) => field.in === "body") ? { input } : {}),
    ...(operation.mediaTypes.length > 0 ? { mediaType: mediaType(operation.mediaTypes) } : {}),
    ...(Download.isFile(entry) ? { output: Download.output } : {}),
    ...(operation.paging === undefined ? {} : { limit, all }),
    ...(operation.effect !== "read" ? { yes: asks(entry) ? yes : yesWithoutQuestion } : {}),
    ...(WebPage.has(entry) ? { web } : {})
  }
}

/** Returns true if the operation deletes data irreversibly. */
export const isDeletion = ({ operation }: CatalogEntry): boolean =>
  operation.effect === "delete" && !Operation.isReversible(operation)

/** Returns true if the command can ask before the call. */
const asks = (entry: CatalogEntry): boolean => isDeletion(entry) || entry.operation.exposure !== undefined

/** Throws an error with the name of a duplicate flag. Duplicate flags make the help of a command fail. */
export const assertUniqueFlags = ({ fields, group, name }: Pick<CatalogEntry, "fields" | "group" | "name">) => {
  const names = [...Flags.reserved, ...Input.commandFlags, ...fields.map(Input.flagName)]
  const twice = names.find((flag, index) => names.indexOf(flag) !== index)
  if (twice !== undefined) throw new Error(`Duplicate flag --${twice} of the operation ${group}.${name}`)
}

const isSet = (name: Input.CommandFlag, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const all = isSet("all", "Print every item")

const yes = isSet("yes", "Run without asking")

const yesWithoutQuestion = isSet("yes", "No effect: this command never asks")

const web = isSet("web", "Open the page of the result in a browser, instead of printing it")

const input = Flag.String("input" satisfies Input.CommandFlag).pipe(
  Flag.optional,
  Flag.withMetavar("FILE"),
  Flag.withDescription("File with the body as a JSON object, or - for stdin")
)

const limit = Flag.Int("limit" satisfies Input.CommandFlag).pipe(
  Flag.filter(
    (limit) => limit >= 1,
    () => "at least 1"
  ),
  Flag.optional,
  Flag.withDescription("Maximum number of items; by default the first page")
)

const mediaType = (mediaTypes: Operation.Operation["mediaTypes"]) =>
  Flag.Literals("media-type" satisfies Input.CommandFlag, mediaTypes).pipe(
    Flag.optional,
    Flag.withDescription("Media type of the result instead of JSON")
  )

/** Creates the flag for content in Base64, which users pass as plain text or as a file. */
const contentFlag = (name: string, field: InputField) =>
  Flag.String(name).pipe(
    Flag.optional,
    Flag.map(Option.getOrUndefined),
    Flag.withMetavar("TEXT|@FILE"),
    Flag.withDescription(Input.describe(field))
  )

/** Creates the flag of a field. Optional, because arguments, the current repository and `--input` set fields, too. */
const fieldFlag = (field: InputField): Flag.Flag<unknown> => {
  const name = Input.flagName(field)
  const described = <A>(self: Flag.Flag<A>) =>
    Flag.optional(field.description === "" ? self : Flag.withDescription(self, field.description)).pipe(
      Flag.map(Option.getOrUndefined)
    )
  if (field.name === "repo" && field.in === "path") {
    return Flag.String(name).pipe(
      Flag.withAlias("R"),
      Flag.withDescription("Name of the repository, or OWNER/NAME"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    )
  }
  switch (field.kind) {
    case "boolean":
      return described(Flag.Boolean(name))
    case "integer":
      return described(Flag.Int(name))
    case "object":
      return described(Flag.withMetavar(Flag.String(name), "JSON"))
    case "strings":
      return Flag.String(name).pipe(
        Flag.withDescription(`${field.description} May be repeated.`.trim()),
        Flag.atLeast(0),
        Flag.map((values) => (values.length === 0 ? undefined : values))
      )
    case "string":
      if (field.isBase64 === true) return contentFlag(name, field)
      return described(field.values.length > 0 ? Flag.Literals(name, field.values) : Flag.String(name))
  }
}
