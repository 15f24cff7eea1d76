/** `tongs api`: sends a raw request through the client. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as HttpMethod from "effect/http/HttpMethod"
import { Connection } from "@tongs/connection/Connection"
import * as ErrorResponse from "@tongs/core/client/ErrorResponse"
import * as ResponseDecoder from "@tongs/core/client/ResponseDecoder"
import * as RawRequest from "@tongs/core/client/RawRequest"
import { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ByteOutput from "../session/ByteOutput.ts"
import { isDeeper, MAX_LEVELS, Output, printable, printJson } from "../base/Output.ts"
import * as Deadline from "../session/Deadline.ts"
import * as RepositoryName from "../base/RepositoryName.ts"
import * as Progress from "../session/Progress.ts"
import * as Flags from "../session/Flags.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as RequestFields from "./RequestFields.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import * as FileInput from "../base/FileInput.ts"

const config = {
  words: Argument.String("request").pipe(
    Argument.between(1, 2),
    Argument.withDescription("[METHOD] PATH, for example `GET /repos/{owner}/{repo}/branches`")
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
    Flag.withDescription("Add a typed field: a number, true, false, null, or the text of @FILE (@- for stdin)")
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
  repo: Flag.String("repo").pipe(
    Flag.withAlias("R"),
    Flag.optional,
    Flag.withMetavar("OWNER/NAME"),
    Flag.withDescription("Repository for {owner} and {repo}; by default the one of the working directory")
  ),
  paginate: Flags.toggle("paginate", "Fetch all pages, and print the items as one list"),
  include: Flag.withAlias(Flags.toggle("include", "Print the status and headers of the response"), "i"),
  silent: Flags.toggle("silent", "Do not print the body")
}

type Config = Command.Command.Config.Infer<typeof config>

const wrong = (detail: string, hint: string) => Effect.fail(new UsageError({ detail, hint }))

const request = Effect.fnUntraced(function* (given: Config) {
  const { include, paginate, silent } = given
  const forge = yield* Forge
  const output = yield* Output
  const fields = yield* RequestFields.parse(given.strings, given.typed)
  const headers = yield* RequestHeaders.parse(given.headers)
  const file = Option.getOrUndefined(given.input)
  const isWrite = Object.keys(fields).length > 0 || file !== undefined
  const { method, path } = yield* line(given.words, Option.getOrUndefined(given.method), isWrite, forge.baseUrl)
  const body = file === undefined ? undefined : yield* FileInput.readBytes(file)
  const route = `${method} ${path}`
  const input = { ...fields, ...(yield* placeholders(path, Option.getOrUndefined(given.repo))) }
  const problem = Result.getFailure(RawRequest.make(route, input, body))
  if (Option.isSome(problem)) return yield* wrong(`${JSON.stringify(route)}: ${problem.value}.`, "")
  const mediaType = Option.getOrUndefined(given.mediaType)
  const form = { headers, ...(mediaType === undefined ? {} : { mediaType }) }
  if (paginate) {
    if (include) return yield* wrong("--paginate cannot be combined with --include.", "Omit one of them.")
    if (method !== "GET") return yield* wrong(`--paginate requires GET, not ${method}.`, "Omit --paginate.")
    const { concurrency, perPage } = Progress.listOptions
    const options = { ...form, concurrency, ...(/[?&]per_page=/.test(path) ? {} : { perPage }) }
    const count = yield* printList(forge.paginate(route, input, options).pages, silent)
    if (count > 0 || silent) return
    const { data } = yield* forge.request(route, input, { ...(yield* Deadline.interactive), ...form })
    return yield* printJson(isList(data) ? [] : data)
  }
  const isRaw = mediaType === "raw" || /\braw\b/.test(headers["accept"] ?? "")
  // A file that is requested with the raw media type is printed unparsed, even if it contains JSON.
  if (isRaw && method === "GET" && !include && !silent)
    return yield* ByteOutput.print(forge.download(route, input, { ...(yield* Deadline.interactive), ...form }))
  const options = { ...(yield* Deadline.interactive), ...form, ...(body === undefined ? {} : { body }) }
  const answer = yield* Progress.showWaiting(forge.request(route, input, options))
  if (include) {
    const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${Terminal.escape(value ?? "")}`)
    yield* output.print(`HTTP ${answer.status}`, ...headers, "")
  }
  if (silent || answer.text === "") return
  if (typeof answer.data !== "string") return yield* printJson(answer.data)
  // Escapes control characters only on a terminal.
  yield* output.write(output.isTerminal ? Terminal.escape(answer.text, { newlines: true }) : answer.text)
})

/**
 * Prints each item as it arrives, all in one JSON array, and returns their number. Prints nothing for an empty list.
 */
const printList = Effect.fnUntraced(function* <E>(pages: Stream.Stream<Page<unknown>, E>, silent: boolean) {
  const { isTerminal, print, write } = yield* Output
  const { items, status } = Progress.trackPages(pages)
  let count = 0
  const writing = Stream.runForEach(items, (item) => {
    count += 1
    const separator = count === 1 ? "[\n" : ",\n"
    return silent
      ? Effect.void
      : Effect.flatMap(printable(item, isTerminal), (text) => write(`${separator}${text.replace(/^/gm, "  ")}`))
  })
  yield* Progress.show(writing, status)
  if (count > 0 && !silent) yield* print("\n]")
  return count
})

/** Returns true if data is a page of a list: an array, or an object that contains an array. */
const isList = (data: unknown) =>
  Array.isArray(data) || (typeof data === "object" && data !== null && Object.values(data).some(Array.isArray))

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/
const methods = "METHOD is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."

const line = Effect.fnUntraced(function* (
  words: ReadonlyArray<string>,
  flag: string | undefined,
  isWrite: boolean,
  baseUrl: string
) {
  const [first = "", second] = words
  if (second !== undefined && flag !== undefined)
    return yield* wrong(`The method is given twice: ${first} and --method ${flag}.`, "Omit one of them.")
  const target = second ?? first
  if (METHOD.test(target.toUpperCase()))
    return yield* wrong(`No path after ${first}.`, `Write \`tongs api [METHOD] PATH\`; ${methods}`)
  const named = second === undefined ? flag : first
  const method = (named ?? (isWrite ? "POST" : "GET")).toUpperCase()
  const known = [...HttpMethod.all].find((one) => one === method)
  if (known === undefined || !METHOD.test(method))
    return yield* wrong(`Invalid method ${JSON.stringify(named)}.`, `Write \`tongs api [METHOD] PATH\`; ${methods}`)
  const base = baseUrl.replace(/\/+$/, "")
  const path = target.startsWith(`${base}/`) ? target.slice(base.length) : target
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return yield* wrong(`${target} is not on ${baseUrl}.`, "Pass a path, or select the forge with --url.")
  return { method: known, path: path.startsWith("/") ? path : `/${path}` }
})

/** Returns the values for `{owner}` and `{repo}` in a path: from `--repo`, or from the current repository. */
const placeholders = Effect.fnUntraced(function* (path: string, repo: string | undefined) {
  if (!/\{(owner|repo)\}/.test(path)) return {}
  const { repository: current, repositoryProblem } = yield* Connection
  const repository = repo === undefined ? current : yield* RepositoryName.parse(repo)
  if (repository === undefined) {
    return yield* wrong(
      `No repository for {owner} and {repo}${repositoryProblem === undefined ? "" : `: ${Terminal.escape(repositoryProblem)}`}.`,
      "Write out the names, pass --repo OWNER/NAME, or run the command in a clone."
    )
  }
  return {
    ...(path.includes("{owner}") ? { owner: repository.owner } : {}),
    ...(path.includes("{repo}") ? { repo: repository.repo } : {})
  }
})

/** Prints the body of an error response to stdout. `ExitCode.report` prints the message to stderr. */
const printErrorBody = (failure: Failure.Failure) => {
  const body = ResponseDecoder.parseJson(ErrorResponse.bodyOf(failure) ?? "")
  const isPrintable = typeof body === "object" && body !== null && !isDeeper(body, MAX_LEVELS)
  return printJson(isPrintable ? body : { message: failure.detail })
}

/** The command `tongs api`. */
export const api = Command.make("api", config, (given) =>
  request(given).pipe(
    Effect.tapErrorTag(
      ["BadCredentials", "Forbidden", "NotFound", "Conflict", "Gone", "ValidationFailed", "ServiceFailed"],
      (failure) => (given.silent ? Effect.void : printErrorBody(failure))
    ),
    Effect.provide(Session.ownLayer)
  )
).pipe(
  Command.withDescription("Send any request to the API"),
  Command.withExamples([
    { command: "tongs api /repos/{owner}/{repo}/branches --paginate" },
    { command: "tongs api --media-type diff /repos/{owner}/{repo}/commits/main" },
    { command: "tongs api -X POST /repos/octo/hello/git/refs --input ref.json" },
    { command: "tongs api PATCH /repos/{owner}/{repo}/git/refs/heads/main -f sha=1a2b3c4… -F force=true" }
  ])
)
