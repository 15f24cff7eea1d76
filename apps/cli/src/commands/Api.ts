/** `tongs api`: one raw request through the whole engine. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Connection } from "@tongs/connection/Connection"
import * as Answer from "@tongs/core/client/Answer"
import { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import * as Terminal from "@tongs/core/text/Terminal"
import { json, Output, printJson } from "../Output.ts"
import * as Patience from "../Patience.ts"
import * as Progress from "../Progress.ts"
import * as Session from "../Session.ts"
import { UsageError } from "../Usage.ts"
import * as Fields from "./Fields.ts"

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const config = {
  words: Argument.String("request").pipe(
    Argument.between(1, 2),
    Argument.withDescription("[METHOD] PATH, as `GET /repos/{owner}/{repo}/branches`")
  ),
  strings: Flag.String("raw-field").pipe(
    Flag.withAlias("f"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription("A field that is text")
  ),
  typed: Flag.String("field").pipe(
    Flag.withAlias("F"),
    Flag.atLeast(0),
    Flag.withMetavar("key=value"),
    Flag.withDescription("A field that is a number, true, false, null, or the text of @file (@- is stdin)")
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

const request = Effect.fnUntraced(function* ({ include, paginate, silent, strings, typed, words }: Config) {
  const forge = yield* Forge
  const output = yield* Output
  const fields = yield* Fields.make(strings, typed)
  const { method, path } = yield* line(words, Object.keys(fields).length > 0, forge.baseUrl)
  const route = `${method} ${path}`
  const input = { ...fields, ...(yield* placeholders(path)) }
  if (paginate) {
    if (include)
      return yield* new UsageError({
        detail: "--paginate and --include do not go together.",
        hint: "Ask for one page with --include."
      })
    if (method !== "GET")
      return yield* new UsageError({ detail: `--paginate reads lists, and ${method} gives none.`, hint: "Write GET." })
    const { concurrency, perPage } = Progress.manyPages
    const options = { concurrency, ...(/[?&]per_page=/.test(path) ? {} : { perPage }) }
    return yield* printList(forge.paginate(route, input, options).pages, silent)
  }
  const answer = yield* Progress.awaited(forge.request(route, input, yield* Patience.interactive))
  if (include) {
    const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${Terminal.visible(value ?? "")}`)
    yield* output.print(`HTTP ${answer.status}`, ...headers, "")
  }
  if (silent || answer.text === "") return
  if (typeof answer.data !== "string") return yield* printJson(answer.data)
  // For a program the text is what it is; a terminal would act upon it.
  yield* output.write(output.isTerminal ? Terminal.visible(answer.text, { newlines: true }) : answer.text)
})

/** Items as one JSON array, each written as it comes. */
const printList = Effect.fnUntraced(function* <E>(pages: Stream.Stream<Page<unknown>, E>, silent: boolean) {
  const { isTerminal, print, write } = yield* Output
  const { far, items } = Progress.reading(pages)
  if (silent) return yield* Progress.during(Stream.runDrain(items), far)
  let isFirst = true
  const writing = Stream.runForEach(items, (item) => {
    const before = isFirst ? "[\n" : ",\n"
    isFirst = false
    return write(`${before}${json(item, isTerminal).replace(/^/gm, "  ")}`)
  })
  yield* Progress.during(writing, far)
  yield* print(isFirst ? "[]" : "\n]")
})

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

const line = Effect.fnUntraced(function* (words: ReadonlyArray<string>, hasFields: boolean, baseUrl: string) {
  const [first = "", second] = words
  const method = second === undefined ? (hasFields ? "POST" : "GET") : first.toUpperCase()
  const target = second ?? first
  if (!METHOD.test(method) || METHOD.test(target.toUpperCase())) {
    return yield* new UsageError({
      detail: second === undefined ? `${first} of what? There is no path.` : `${JSON.stringify(first)} is no method.`,
      hint: "Write `tongs api [METHOD] PATH`; METHOD is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."
    })
  }
  const base = baseUrl.replace(/\/+$/, "")
  const path = target.startsWith(`${base}/`) ? target.slice(base.length) : target
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    return yield* new UsageError({
      detail: `${target} is not on ${baseUrl}.`,
      hint: "Give a path, or name the forge with --url."
    })
  }
  return { method, path: path.startsWith("/") ? path : `/${path}` }
})

/** `{owner}` and `{repo}` are those of the repository at hand. */
const placeholders = Effect.fnUntraced(function* (path: string) {
  if (!/\{(owner|repo)\}/.test(path)) return {}
  const { here } = yield* Connection
  if (here === undefined) {
    return yield* new UsageError({
      detail: "There is no repository here to fill in {owner} and {repo}.",
      hint: "Write them out, or run the command in a repository."
    })
  }
  return {
    ...(path.includes("{owner}") ? { owner: here.owner } : {}),
    ...(path.includes("{repo}") ? { repo: here.repo } : {})
  }
})

/** What the forge said goes to stdout as its data, before the failure is told on stderr. */
const printRefusal = (failure: Failure.Failure) => {
  const said = Answer.parsed(Answer.bodyOf(failure) ?? "")
  return printJson(typeof said === "object" && said !== null ? said : { message: failure.detail })
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
    { command: "tongs api PATCH /repos/{owner}/{repo}/git/refs/heads/main -f sha=1a2b3c4… -F force=true" }
  ])
)
