/** Runs `git receive-pack`, whose `pre-receive` hook asks for a verdict before a reference moves. */
import type { Duplex } from "node:stream"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ApiError from "../../api/ApiError.ts"
import type { Git } from "../../git/process/Git.ts"
import { GitError } from "../../git/values/GitError.ts"
import * as PushJournal from "../../git/PushJournal.ts"
import * as PushReport from "../../git/PushReport.ts"
import * as ReceiveHook from "../../git/ReceiveHook.ts"
import * as PushSettings from "./PushSettings.ts"
import type { RequestBody } from "./RequestBody.ts"

export interface PushOptions {
  readonly gitDir: string
  readonly settings: ReadonlyArray<string>
  /** Name of the repository for the log. */
  readonly name: string
  readonly input: RequestBody
  /** Gets a value for each reference that git reports: true for a reference that git has moved. */
  readonly results: Map<string, boolean>
  /** Decides whether the push is accepted. */
  readonly decide: (proposed: ReceiveHook.ProposedPush) => Effect.Effect<ReceiveHook.Verdict>
}

/** Runs the push and gives the output of git. `folder` has the hook and the journals. */
export const open = Effect.fnUntraced(function* (git: Git["Service"], folder: string, options: PushOptions) {
  const settings = [...PushSettings.settings(yield* ReceiveHook.install(folder)), ...options.settings]
  const opened = yield* Deferred.make<Duplex>()
  const end = ReceiveHook.makeEnd()
  const hook = yield* Effect.forkScoped(
    Effect.flatMap(Deferred.await(opened), (channel) =>
      serveHook(channel, end, options, () => {
        isAccepted = true
      })
    )
  )
  let isAccepted = false
  const { first, input } = PushReport.readFirstPacket(options.input)
  const run = git.exchange(["receive-pack", "--stateless-rpc", options.gitDir], {
    gitDir: options.gitDir,
    settings,
    environment: {
      ...PushSettings.environment,
      ...ReceiveHook.environment(end),
      ...(yield* PushJournal.make(folder))
    },
    deadlines: PushSettings.deadlines,
    // Stopping git while references move would leave some references unmoved.
    cpuLimit: (bytes) => (isAccepted ? Infinity : PushSettings.cpuLimit(bytes)),
    input,
    onChannel: (channel) => Deferred.doneUnsafe(opened, Effect.succeed(channel))
  })
  // git reports all other problems in the output.
  const output = yield* run.pipe(
    Effect.catchIf(isMalformed, () =>
      Effect.fail(ApiError.unreadableRequest(400, "git receive-pack cannot read the request. Push again"))
    ),
    Effect.catchIf(isTooExpensive, (error) => Effect.succeed(Stream.fail(error)))
  )
  const { read } = PushReport.makeReader(options.results)
  const explained = Stream.catchIf(output, isTooExpensive, (error) =>
    Stream.fromEffect(
      Effect.as(
        Effect.logWarning(`A push to ${options.name} was stopped: ${error.message}`),
        PushReport.failure(first(), error.message)
      )
    )
  )
  const reported = Stream.map(explained, (chunk) => {
    read(chunk)
    return chunk
  })
  return Stream.concat(reported, Stream.drain(Stream.fromEffect(Fiber.interrupt(hook))))
})

/** Gives the references and capabilities for the client. */
export const advertise = Effect.fnUntraced(function* (
  git: Git["Service"],
  folder: string,
  findGitDir: Effect.Effect<string, GitError, Scope.Scope>
) {
  const gitDir = yield* findGitDir
  return yield* git.exchange(["receive-pack", "--stateless-rpc", "--http-backend-info-refs", gitDir], {
    gitDir,
    settings: PushSettings.settings(yield* ReceiveHook.install(folder)),
    input: Stream.empty
  })
})

const serveHook = Effect.fnUntraced(function* (
  channel: Duplex,
  end: string,
  { decide, name }: PushOptions,
  onAccept: () => void
) {
  const proposed = yield* ReceiveHook.read(channel, end)
  if (proposed === undefined) return
  const verdict = typeof proposed === "string" ? Effect.succeed(refuse(proposed)) : decide(proposed)
  const answer = yield* Effect.catchCauseIf(
    verdict,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.as(Effect.logError(`a push to ${name} could not be checked`, cause), refuse(FAILED))
  )
  if (answer.isAccepted) onAccept()
  yield* ReceiveHook.answer(channel, answer)
})

/** True if git ended before an answer, because of the first packet lines of the request. */
const isMalformed = ({ reason }: GitError) => reason._tag === "CommandFailed" && reason.exitCode === 128

const isTooExpensive = (error: GitError | ApiError.ApiError): error is GitError =>
  error instanceof GitError && error.reason._tag === "CpuTimeExceeded"

const refuse = (line: string): ReceiveHook.Verdict => ({ isAccepted: false, lines: [line] })

const FAILED = "The forge could not check this push. See its log for the reason, then push again."
