/** `tongs api`: one raw request through the whole engine. */
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
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"
import * as RequestFields from "./RequestFields.ts"
import * as RequestHeaders from "./RequestHeaders.ts"
import * as FileInput from "../base/FileInput.ts"

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const config = {
  words: Argument.String("request").pipe(
    Argument.between(1, 2),
    Argument.withDescription("[METHOD] PATH, as `GET /repos/{owner}/{repo}/branches`")
  ),
  method: Flag.String("method").pipe(
    Flag.withAlias("X"),
    Flag.optional,
    Flag.withMetavar("METHOD"),
    Flag.withDescription("The method; by default GET, or POST with fields or --input")
  ),
  headers: Flag.String("header").pipe(
    Flag.withAlias("H"),
    Flag.atLeast(0),
    Flag.withMetavar("name:value"),
    Flag.withDescription("A header of the request; the credential is not given here")
  ),
  strings: Flag.String("raw-field").pipe(
    Flag.withAlias("f"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription(
      "A field that is text; key[]=value is an element of an array, key[name]=value a member of an object"
    )
  ),
  typed: Flag.String("field").pipe(
    Flag.withAlias("F"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription("A field that is a number, true, false, null, or the text of @file (@- is stdin)")
  ),
  input: Flag.String("input").pipe(
    Flag.optional,
    Flag.withMetavar("FILE"),
    Flag.withDescription("A file that is sent as the body, or - for stdin; fields go into the query")
  ),
  mediaType: Flag.Literals("media-type", ["raw", "text", "html", "full", "text-match", "diff", "patch", "sha"]).pipe(
    Flag.optional,
    Flag.withDescription("Ask for this form of the result instead of plain JSON")
  ),
  repo: Flag.String("repo").pipe(
    Flag.withAlias("R"),
    Flag.optional,
    Flag.withMetavar("OWNER/NAME"),
    Flag.withDescription("The repository for {owner} and {repo}; by default that of the working directory")
  ),
  paginate: flag("paginate", "Follow the links to the last page, and print one list of all items"),
  include: Flag.Boolean("include").pipe(
    Flag.withAlias("i"),
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Print the status and the headers of the answer too")
  ),
  silent: flag("silent", "Print no body")
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
    if (include) return yield* wrong("--paginate and --include do not go together.", "Ask for one page with --include.")
    if (method !== "GET") return yield* wrong(`--paginate reads lists, and ${method} gives none.`, "Write GET.")
    const { concurrency, perPage } = Progress.listOptions
    const options = { ...form, concurrency, ...(/[?&]per_page=/.test(path) ? {} : { perPage }) }
    const count = yield* printList(forge.paginate(route, input, options).pages, silent)
    if (count > 0 || silent) return
    const { data } = yield* forge.request(route, input, { ...(yield* Deadline.interactive), ...form })
    return yield* printJson(isList(data) ? [] : data)
  }
  const isRaw = mediaType === "raw" || /\braw\b/.test(headers["accept"] ?? "")
  // A raw file can hold any bytes, and stays as it is also if it is JSON.
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
  // For a program the text is what it is; a terminal would act upon it.
  yield* output.write(output.isTerminal ? Terminal.escape(answer.text, { newlines: true }) : answer.text)
})

/** Prints items as one JSON array, each as it arrives, and returns their number. Prints nothing for an empty list. */
const printList = Effect.fnUntraced(function* <E>(pages: Stream.Stream<Page<unknown>, E>, silent: boolean) {
  const { isTerminal, print, write } = yield* Output
  const { far, items } = Progress.trackPages(pages)
  let count = 0
  const writing = Stream.runForEach(items, (item) => {
    count += 1
    const separator = count === 1 ? "[\n" : ",\n"
    return silent
      ? Effect.void
      : Effect.flatMap(printable(item, isTerminal), (text) => write(`${separator}${text.replace(/^/gm, "  ")}`))
  })
  yield* Progress.show(writing, far)
  if (count > 0 && !silent) yield* print("\n]")
  return count
})

/** Whether it is a page of a list, as an array or as an object that holds one. */
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
    return yield* wrong("--method and a method before the path say it twice.", "Leave one.")
  const target = second ?? first
  if (METHOD.test(target.toUpperCase()))
    return yield* wrong(`${first} of what? There is no path.`, `Write \`tongs api [METHOD] PATH\`; ${methods}`)
  const named = second === undefined ? flag : first
  const method = (named ?? (isWrite ? "POST" : "GET")).toUpperCase()
  const known = [...HttpMethod.all].find((one) => one === method)
  if (known === undefined || !METHOD.test(method))
    return yield* wrong(`${JSON.stringify(named)} is no method.`, `Write \`tongs api [METHOD] PATH\`; ${methods}`)
  const base = baseUrl.replace(/\/+$/, "")
  const path = target.startsWith(`${base}/`) ? target.slice(base.length) : target
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    return yield* wrong(`${target} is not on ${baseUrl}.`, "Give a path, or name the forge with --url.")
  return { method: known, path: path.startsWith("/") ? path : `/${path}` }
})

/** `{owner}` and `{repo}` are those of `--repo`, or of the repository of the working directory. */
const placeholders = Effect.fnUntraced(function* (path: string, repo: string | undefined) {
  if (!/\{(owner|repo)\}/.test(path)) return {}
  const { repository: here, repositoryProblem: hereProblem } = yield* Connection
  const place = repo === undefined ? here : yield* RepositoryName.parse(repo)
  if (place === undefined) {
    return yield* wrong(
      `There is no repository for {owner} and {repo}${hereProblem === undefined ? "" : `: ${Terminal.escape(hereProblem)}`}.`,
      "Write them out, name one with --repo OWNER/NAME, or run the command in a clone of one."
    )
  }
  return {
    ...(path.includes("{owner}") ? { owner: place.owner } : {}),
    ...(path.includes("{repo}") ? { repo: place.repo } : {})
  }
})

/** What the forge said goes to stdout as its data, before the failure is told on stderr. */
const printRefusal = (failure: Failure.Failure) => {
  const said = ResponseDecoder.parseJson(ErrorResponse.bodyOf(failure) ?? "")
  const isPrintable = typeof said === "object" && said !== null && !isDeeper(said, MAX_LEVELS)
  return printJson(isPrintable ? said : { message: failure.detail })
}

export const api = Command.make("api", config, (given) =>
  request(given).pipe(
    Effect.tapErrorTag(
      ["BadCredentials", "Forbidden", "NotFound", "Conflict", "Gone", "ValidationFailed", "ServiceFailed"],
      (failure) => (given.silent ? Effect.void : printRefusal(failure))
    ),
    Effect.provide(Session.layer)
  )
).pipe(
  Command.withDescription("Send one request, whether the contract has it or not"),
  Command.withExamples([
    { command: "tongs api /repos/{owner}/{repo}/branches --paginate" },
    { command: "tongs api --media-type diff /repos/{owner}/{repo}/commits/main" },
    { command: "tongs api -X POST /repos/octo/hello/git/refs --input ref.json" },
    { command: "tongs api PATCH /repos/{owner}/{repo}/git/refs/heads/main -f sha=1a2b3c4… -F force=true" }
  ])
)
