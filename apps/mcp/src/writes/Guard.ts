/** Decides about calls that change data, by the flags of the server. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Client } from "@tongs/core/client/Client"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as Exposure from "@tongs/core/contract/Exposure"
import * as Operation from "@tongs/core/contract/Operation"
import type { Arguments } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import type { Decision, Write, WriteGuard } from "../call/WriteGuard.ts"
import * as Confirmation from "./Confirmation.ts"
import * as DryRun from "./DryRun.ts"
import type * as ReadMarks from "../files/ReadMarks.ts"
import * as FileWrites from "./FileWrites.ts"
import * as Question from "./Question.ts"
import * as SealedState from "./SealedState.ts"
import * as WritePolicy from "./WritePolicy.ts"
import * as WriteRequest from "./WriteRequest.ts"
import * as WriteTarget from "./WriteTarget.ts"

/** Settings of writes. */
export interface Options extends WritePolicy.Allowlist {
  /** Also offers the tools that change data. */
  readonly allowWrites: boolean
  /** `ask`: calls that cannot be undone need the user's confirmation. `never`: all calls run without confirmation. */
  readonly confirm: "ask" | "never"
  /** Answers with the request that a write would send, and sends nothing. */
  readonly dryRun: boolean
}

/** The forge that writes go to. */
export interface Destination {
  readonly forge: Client
  /** Name of the forge in questions. */
  readonly label: string
  /** The texts of the forge's files that the server has shown. */
  readonly shown: ReadMarks.Shown
}

/** Creates the guard of a server. */
export const make = (options: Options, { forge, label, shown }: Destination): WriteGuard["Service"] => {
  const state = SealedState.make()

  const loginOf = (targets: ReadonlyArray<WriteTarget.WriteTarget>, { deadline }: Call) =>
    WritePolicy.isRestricted(options) && targets.some(({ kind }) => kind === "self")
      ? Effect.map(forge.users.getAuthenticated({}, { deadline }), ({ login }) => login)
      : Effect.undefined

  /**
   * Returns why a repository may not be changed under its current name. A forge redirects writes from the former name
   * of a repository to the present name, which can have another owner.
   */
  const renamedRefusal = Effect.fnUntraced(function* ({ owner, repo }: Arguments, { deadline }: Call) {
    if (!WritePolicy.isRestricted(options) || typeof owner !== "string" || typeof repo !== "string") return undefined
    const found = yield* Effect.catchTag(
      forge.repositories.get({ owner, repo }, { deadline }),
      "NotFound",
      () => Effect.undefined
    )
    if (found === undefined) return undefined
    const [present = "", name = ""] = found.full_name.split("/")
    return WritePolicy.refusal(options, { kind: "repository", owner: present, name }, undefined)
  })

  return {
    check: Effect.fnUntraced(function* (entry: CatalogEntry, input: Arguments, write: Write) {
      const { call, dryRun = false, files, question, tool } = write
      const { summary } = question ?? entry.operation
      const run = (waited: number): Decision => ({
        _tag: "Run",
        deadline: call.deadline + waited,
        isRestricted: WritePolicy.isRestricted(options)
      })
      if (entry.readonly) return run(0)
      if (!options.allowWrites) {
        return yield* new ToolError({
          detail: `${summary}: nothing was done, because this server only reads. The user can start it with \`tongs mcp --allow-writes\`.`
        })
      }
      const request = yield* WriteRequest.make(entry, input, forge.baseUrl)
      const misleading = WriteRequest.misleadingParameter(request)
      if (misleading !== undefined)
        return yield* refused(summary, `${misleading} contains "." or ".." as a path segment.`)
      const sent = { ...request.parameters, ...asMembers(request.body) }
      const isReversible =
        Operation.isReversible(entry.operation, input) && Operation.isReversible(entry.operation, sent)
      const exposure = Operation.exposureOf(entry.operation, input) ?? Operation.exposureOf(entry.operation, sent)
      const consequence =
        exposure === undefined ? undefined : Exposure.describe(exposure, { ...input, ...sent }, Question.show)
      const needsConfirmation = (!isReversible || exposure !== undefined) && options.confirm === "ask"
      const isDryRun = dryRun || options.dryRun
      // A dry run does not read the login of the signed-in user either.
      const targets = WriteTarget.of(entry, request).filter(({ kind }) => !isDryRun || kind !== "self")
      const login = yield* loginOf(targets, call)
      const refusal = targets
        .map((target) => WritePolicy.refusal(options, target, login))
        .find((reason) => reason !== undefined)
      if (isDryRun) {
        const known = files === undefined ? undefined : FileWrites.problem(files, { forge, shown }, request.parameters)
        const facts = { isReversible, consequence, needsConfirmation, refusal: refusal ?? known }
        return { _tag: "DryRun", answer: DryRun.answer(entry, request, facts), notes: DryRun.outcome(facts) }
      }
      const present = refusal ?? (yield* renamedRefusal(request.parameters, call))
      if (present !== undefined) return yield* refused(summary, present)
      const altered =
        files === undefined
          ? yield* FileWrites.refusal(entry, input, { forge, shown }, call.deadline)
          : FileWrites.problem(files, { forge, shown }, request.parameters)
      if (altered !== undefined) return yield* refused(summary, altered)
      if (!needsConfirmation) return run(0)
      const pending = {
        summary,
        isReversible,
        question: Question.question(
          { body: Question.withoutSecrets(entry, request.body), ...question, summary },
          request,
          {
            isReversible,
            consequence,
            label
          }
        ),
        sealed: [
          tool,
          `${entry.group}.${entry.name}`,
          request.method,
          forge.baseUrl,
          request.path,
          JSON.stringify(request.body) ?? "",
          JSON.stringify(question?.body) ?? "",
          forge.scope
        ]
      }
      const asked = yield* Clock.currentTimeMillis
      const inputRequired = yield* call.pauseDeadline(Confirmation.confirm(pending, state))
      return inputRequired ?? run((yield* Clock.currentTimeMillis) - asked)
    })
  }
}

const asMembers = (body: unknown): Arguments => (typeof body === "object" && body !== null ? { ...body } : {})

const refused = (summary: string, reason: string) =>
  new ToolError({ detail: `${summary}: nothing was sent, because ${reason}` })
