/** Runs one call of a tool: reads the cursor, limits the time, renders the answer, reports a failure. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as McpSchema from "effect/ai/McpSchema"
import { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import type * as Failure from "@tongs/core/contract/Failure"
import type { Answer, Arguments } from "./answer/Answer.ts"
import * as AnswerData from "./answer/AnswerData.ts"
import * as AnswerLines from "./answer/AnswerLines.ts"
import * as MaskedAnswer from "./answer/MaskedAnswer.ts"
import type { Call, RepositoryName } from "./call/Call.ts"
import type * as CursorStore from "./call/CursorStore.ts"
import * as Deadline from "./call/Deadline.ts"
import type * as Pace from "./call/Pace.ts"
import * as Progress from "./call/Progress.ts"
import * as RecoveryHint from "./call/RecoveryHint.ts"
import type { Tool } from "./call/Tool.ts"
import { ToolError } from "./call/ToolError.ts"
import { WriteGuard } from "./call/WriteGuard.ts"
import type * as ReadMarks from "./files/ReadMarks.ts"
import * as SecretMask from "./text/SecretMask.ts"
import * as ThirdPartyText from "./text/ThirdPartyText.ts"
import * as Limits from "./tools/Limits.ts"

/** Values that all registered tools share. */
export interface Context {
  readonly cursors: CursorStore.CursorStore
  readonly defaultRepository: RepositoryName | undefined
  readonly searchesWorkTrees: boolean
  readonly forge: Forge["Service"]
  readonly guard: WriteGuard["Service"]
  readonly scheduler: Scheduler["Service"]
  readonly isRemote: boolean
  readonly pace: Pace.Pace
  readonly shown: ReadMarks.Shown
  /** Names of the registered tools. */
  readonly names: ReadonlyArray<string>
  readonly notify: Progress.Notify
  readonly options: {
    /** Maximum time of a call in seconds. */
    readonly deadline: number
    /** Answers with structured content beside the text. */
    readonly structured: boolean
  }
}

/** Milliseconds between the latest start of a request and the end of the call. */
const MARGIN = 5_000

/** Maximum number of characters of the required arguments that the call for the next part repeats. */
const MAX_REPEATED = 500

/** Runs a tool and renders the answer. */
export const run = Effect.fnUntraced(function* (tool: Tool, payload: unknown, context: Context) {
  const now = yield* Clock.currentTimeMillis
  const { cursors, defaultRepository, forge, guard, notify, options, pace, scheduler, shown } = context
  const { cursor, ...given }: Arguments = typeof payload === "object" && payload !== null ? { ...payload } : {}
  const continued = tool.isList && cursor !== undefined ? yield* cursors.read(cursor, tool.name, given) : undefined
  const args = continued?.args ?? (cursor === undefined ? given : { ...given, cursor })
  const partial = yield* Ref.make<Answer | undefined>(undefined)
  const limit = Duration.seconds(options.deadline)
  const deadline = Deadline.make(limit)
  const request = yield* McpSchema.McpRequestContext
  const progress = Progress.make(request, notify)
  const one: Call = {
    now,
    deadline: now + Math.max(Duration.toMillis(limit) - MARGIN, Duration.toMillis(limit) / 2),
    position: continued?.position,
    defaultRepository,
    searchesWorkTrees: context.searchesWorkTrees,
    limits: scheduler.statusOf(forge.scope),
    keepPartial: (answer) => Ref.set(partial, answer),
    pauseDeadline: deadline.pause,
    reportProgress: progress.report
  }
  const started = tool.run(args, one)
  const result = yield* (tool.isLocal === true ? started : pace.run(started)).pipe(
    deadline.limit,
    (effect) => progress.during(effect, (seconds) => waitReason(one, deadline, seconds)),
    Effect.flatMap(
      Option.match({ onSome: Effect.succeed, onNone: () => Effect.flatMap(Ref.get(partial), late(limit)) })
    ),
    Effect.provideService(Forge, forge),
    Effect.provideService(WriteGuard, guard)
  )
  if ("_tag" in result) return result
  const answer = MaskedAnswer.make(result, forge.mask)
  if (answer.isContent === true)
    for (const [index, { text }] of answer.items.entries())
      shown.keep(result.items[index]?.text ?? text, ThirdPartyText.escape(text))
  const nextCall: AnswerLines.NextCall = (next) => {
    if ("arguments" in next) return next
    const required = Object.fromEntries((tool.inputSchema.required ?? []).map((name) => [name, args[name]]))
    const isShort = JSON.stringify(required).length <= MAX_REPEATED
    const handle = cursors.create({ tool: tool.name, args, position: next.position })
    return { arguments: { ...(isShort ? required : {}), cursor: handle } }
  }
  return new McpSchema.CallToolResult({
    // Also beside structured content: only the text has the frame, and some clients show nothing else.
    content: [{ type: "text", text: AnswerLines.render(answer, nextCall) }, ...embedded(answer)],
    ...(options.structured || isStructured(request) ? { structuredContent: AnswerData.render(answer, nextCall) } : {})
  })
})

/** Returns the reason why a call waits, for progress notifications. */
const waitReason = Effect.fnUntraced(function* (
  { limits, now: start }: Call,
  deadline: Deadline.Deadline,
  seconds: number
) {
  if (deadline.isPaused()) return "Waits for the user to confirm the call."
  const now = yield* Clock.currentTimeMillis
  const reason = Limits.waitReason(yield* limits, now)
  return (
    reason ?? `Waits for the forge: ${seconds} s so far, until ${new Date(deadline.end(start)).toISOString()} at most.`
  )
})

/** Runs a tool. Failures are results, and a binary file is a link to a resource. */
export const call = Effect.fnUntraced(
  function* (tool: Tool, payload: unknown, context: Context) {
    const result = yield* run(tool, payload, context)
    if (!("content" in result)) return result
    const { protocolVersion } = yield* McpSchema.McpRequestContext
    return withLinks(result, protocolVersion)
  },
  (effect, tool, _, context) =>
    effect.pipe(
      Effect.catch((error) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          text(describe(error, context.forge.mask, { ...context, tool, now }), true)
        )
      )
    )
)

/** Member of a call's `_meta` that asks for structured content. */
const STRUCTURED = "tongs/structured"

const isStructured = ({ requestMetadata }: McpSchema.McpRequestContext["Service"]): boolean =>
  requestMetadata !== undefined && STRUCTURED in requestMetadata && requestMetadata[STRUCTURED] === true

const late =
  (limit: Duration.Duration) =>
  (partial: Answer | undefined): Effect.Effect<Answer, ToolError> => {
    const seconds = Duration.toSeconds(limit)
    return partial === undefined
      ? Effect.fail(
          new ToolError({
            detail: `The forge did not answer within ${seconds} s, and the request was cancelled. Call the tool limits to see why, or try again.`
          })
        )
      : Effect.succeed({
          ...partial,
          notes: [...(partial.notes ?? []), `Incomplete: the call ended after ${seconds} s.`]
        })
  }

const embedded = ({ binary }: Answer): ReadonlyArray<McpSchema.EmbeddedResource> =>
  binary === undefined
    ? []
    : [{ type: "resource", resource: { uri: binary.uri, mimeType: binary.mimeType, blob: binary.bytes } }]

/** The first protocol version that has links in results. */
const LINKS_SINCE = "2025-06-18"

/** Replaces files by links, because the bytes of a file can exceed the limit of an answer many times. */
const withLinks = ({ content, ...rest }: McpSchema.CallToolResult, protocolVersion: string): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({
    ...rest,
    content: content.flatMap((part): typeof content => {
      if (part.type !== "resource") return [part]
      const { mimeType, uri } = part.resource
      return protocolVersion < LINKS_SINCE ? [] : [{ type: "resource_link", uri, mimeType, name: uri }]
    })
  })

const text = (value: string, isError = false) =>
  new McpSchema.CallToolResult({ content: [{ type: "text", text: value }], ...(isError ? { isError } : {}) })

/** Maximum number of characters of a failure's message, which can quote the arguments of the call. */
const MAX_MESSAGE_LENGTH = 1_000

/** Describes a failure and the next step. The message quotes the forge, and so is in a frame. */
export const describe = (
  error: Failure.Failure | ToolError,
  maskCredential: SecretMask.MaskCredential,
  context: RecoveryHint.Context
): string => {
  const message = ThirdPartyText.escape(SecretMask.mask(error.message, maskCredential))
  const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
  const hint = RecoveryHint.hintFor(error, context)
  if (error._tag === "ToolError") return [shown, hint].filter((part) => part !== "").join(" ")
  return [ThirdPartyText.frame(shown, { from: "the forge" }), hint].filter((part) => part !== "").join("\n")
}
