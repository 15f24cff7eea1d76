/** The flags of `tongs api`: the flags of `gh api` and some more. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../../base/UsageError.ts"
import * as Flags from "../../session/Flags.ts"

/** Declarations of the flags and operands. `ApiCommandLine` lists the flags, too. */
export const config = {
  words: Argument.String("request").pipe(
    Argument.between(1, 2),
    Argument.withDescription("[METHOD] PATH, for example `GET /repos/{owner}/{repo}/branches`; or `graphql`")
  ),
  method: Flag.String("method").pipe(
    Flag.withAlias("X"),
    Flag.optional,
    Flag.withMetavar("METHOD"),
    Flag.withDescription("HTTP method; by default GET, or POST with fields or --input")
  ),
  headers: Flag.String("header").pipe(
    Flag.withAlias("H"),
    Flag.atLeast(0),
    Flag.withMetavar("name:value"),
    Flag.withDescription("Add a request header; credentials are not accepted here")
  ),
  strings: Flag.String("raw-field").pipe(
    Flag.withAlias("f"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription("Add a text field; key[]=value adds to an array, key[name]=value sets a member of an object")
  ),
  typed: Flag.String("field").pipe(
    Flag.withAlias("F"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription(
      "Add a typed field: an integer, true, false, null, the text of @FILE (@- for stdin), or a text with {owner}, {repo} and {branch}"
    )
  ),
  input: Flag.String("input").pipe(
    Flag.optional,
    Flag.withMetavar("FILE"),
    Flag.withDescription("Send a file, or - for stdin, as the body; fields become query parameters")
  ),
  mediaType: Flag.Literals("media-type", ["raw", "text", "html", "full", "text-match", "diff", "patch", "sha"]).pipe(
    Flag.optional,
    Flag.withDescription("Media type of the response, instead of plain JSON")
  ),
  previews: Flag.String("preview").pipe(
    Flag.withAlias("p"),
    Flag.atLeast(0),
    Flag.withMetavar("NAMES"),
    Flag.withDescription("Request API previews, by names without `-preview`, separated by commas")
  ),
  repo: Flag.String("repo").pipe(
    Flag.withAlias("R"),
    Flag.optional,
    Flag.withMetavar("OWNER/NAME"),
    Flag.withDescription("Repository for {owner} and {repo}; by default GH_REPO, or the one of the working directory")
  ),
  hostname: Flag.String("hostname").pipe(
    Flag.optional,
    Flag.withMetavar("HOST"),
    Flag.withDescription("Use the profile whose URL has this host")
  ),
  template: Flag.String("template").pipe(
    Flag.withAlias("t"),
    Flag.optional,
    Flag.withMetavar("TEMPLATE"),
    Flag.withDescription("Not supported: use --jq")
  ),
  cache: Flag.String("cache").pipe(
    Flag.optional,
    Flag.withMetavar("DURATION"),
    Flag.withDescription("Reuse the response for a time, for example 3600s, 60m or 1h")
  ),
  paginate: Flags.toggle("paginate", "Fetch all pages; the items of arrays are printed as one array"),
  slurp: Flags.toggle("slurp", "With --paginate: print all pages as elements of one array"),
  include: Flag.withAlias(Flags.toggle("include", "Print the status and headers of the response"), "i"),
  silent: Flags.toggle("silent", "Do not print the body"),
  verbose: Flags.toggle("verbose", "Print the request and the response with their headers")
}

/** The values of the flags and operands. */
export type ApiFlags = Command.Command.Config.Infer<typeof config>

/** Fails with `UsageError` if flags contradict each other. */
export const check = Effect.fnUntraced(function* (given: ApiFlags) {
  const { cache, input, paginate, silent, slurp, template, verbose } = given
  const wrong = (detail: string, hint: string) => Effect.fail(new UsageError({ detail, hint }))
  const jq = Option.isSome(yield* Flags.Jq) ? "--jq" : Option.isSome(yield* Flags.Fields) ? "--fields" : ""
  const forms = [jq, silent ? "--silent" : "", verbose ? "--verbose" : ""].filter((form) => form !== "")
  if (Option.isSome(template)) {
    const detail = "--template is not supported: tongs has no Go templates."
    return yield* wrong(detail, "Use --jq, for example --jq '.[].name'.")
  }
  if (Option.isSome(cache) && milliseconds(cache.value) === undefined)
    return yield* wrong(`Invalid duration ${JSON.stringify(cache.value)}.`, "Write it as 3600s, 60m or 1h30m.")
  if (paginate && Option.isSome(input))
    return yield* wrong("--paginate cannot be combined with --input.", "Omit one of them.")
  if (slurp && !paginate) return yield* wrong("--slurp requires --paginate.", "Add --paginate.")
  if (slurp && jq !== "") return yield* wrong(`--slurp cannot be combined with ${jq}.`, "Omit one of them.")
  if (forms.length > 1) return yield* wrong(`${forms.join(" and ")} cannot be combined.`, "Use one of them.")
})

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Converts a duration such as `1h30m` to milliseconds. Undefined for an invalid duration. */
export const milliseconds = (text: string): number | undefined => {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)]
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (units[unit] ?? 0), 0)
}
