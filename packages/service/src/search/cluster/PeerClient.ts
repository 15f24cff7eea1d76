/** Asks other processes of a cluster about the repositories that they own. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { LruCache } from "../../base/LruCache.ts"
import { Peers } from "../../base/Peers.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import { SearchCaller } from "../SearchCaller.ts"
import * as PeerLines from "./PeerLines.ts"
import * as PeerMessages from "./PeerMessages.ts"
import type { RepositorySet } from "./RepositorySet.ts"

/** Time without a line after which a process counts as dead. A living process sends one each 250 ms. */
const maxSilence = Duration.millis(900)

/** Number of ids up to which each request has them. With more, only the first request with a set. */
const MAX_INLINE = 200

/** Maximum number of sets of which this process remembers that another one knows them. */
const MAX_KNOWN = 20_000

/** Milliseconds between two reports about a process. */
const REPORT_MILLIS = 10_000

/** A process that did not answer, or not completely. */
export class PeerFailure extends Schema.TaggedError<PeerFailure>()("PeerFailure", {
  peer: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The process ${this.peer} of the forge ${this.detail}`
  }
}

/** Creates the client. */
export const make = Effect.gen(function* () {
  const peers = yield* Peers
  const { answered } = yield* StoreRevision
  /** Sets that a process knows, as `PEER DIGEST`. */
  const known = new LruCache<true>(MAX_KNOWN)

  /** Time of the last report about a process, in milliseconds. */
  const reported = new Map<string, number>()

  return {
    /** Logs a failure, once in a while for each process. */
    report: Effect.fnUntraced(function* ({ message, peer }: PeerFailure) {
      const now = yield* Clock.currentTimeMillis
      if (now - (reported.get(peer) ?? Number.NEGATIVE_INFINITY) < REPORT_MILLIS) return
      reported.set(peer, now)
      yield* Effect.logWarning(`${message}. Searches name the repositories that are missing`)
    }),

    /** Addresses of the other processes. */
    list: peers.list,

    /**
     * Returns the function that asks a process. The stream begins with `Begin`. It fails if the process cannot be
     * reached, is silent, or sends anything else than a complete answer. Ending the stream ends the search there.
     */
    method: <Input, Line extends { readonly _tag: string }>({
      input: inputSchema,
      line,
      name
    }: PeerMessages.Method<Input, Line>) => {
      const encode = Schema.encodeEffect(inputSchema)
      const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Union([...PeerMessages.control, line])))

      return (
        peer: string,
        { digest, ids }: RepositorySet,
        input: Input
      ): Stream.Stream<PeerMessages.Begin | Line, PeerFailure> => {
        const fail = (detail: string) => new PeerFailure({ peer, detail })
        const key = `${peer} ${digest}`

        const send = Effect.fnUntraced(function* (withIds: boolean) {
          const repositories = withIds ? { digest, ids } : { digest }
          const caller = yield* SearchCaller
          const body = JSON.stringify({
            repositories,
            caller,
            revision: answered(),
            input: yield* Effect.orDie(encode(input))
          })
          return yield* Effect.mapError(peers.post(peer, `${PeerMessages.PREFIX}${name}`, body), ({ detail }) =>
            fail(`cannot be reached: ${detail}`)
          )
        })

        const open = Effect.gen(function* () {
          const withIds = ids.length <= MAX_INLINE || known.get(key) === undefined
          const first = yield* send(withIds)
          const response = first.status === 409 && !withIds ? yield* send(true) : first
          if (response.status !== 200) return yield* fail(`answered ${response.status}`)
          known.set(key, true)
          return response
        })

        let isComplete = false
        const bytes = Stream.unwrap(
          Effect.map(open, ({ body }) =>
            Stream.mapError(body, ({ detail }) => fail(`stopped in the middle of an answer: ${detail}`))
          )
        )
        return PeerLines.split(bytes, fail).pipe(
          Stream.timeoutOrElse({
            duration: maxSilence,
            orElse: () => Stream.fail(fail(`was silent for ${Duration.toMillis(maxSilence)} ms`))
          }),
          Stream.mapEffect((text) =>
            Effect.mapError(decode(text), () => fail("sent a line that this version of the forge does not understand"))
          ),
          // To the end of the response, so that the connection stays open.
          Stream.flatMap((line): Stream.Stream<PeerMessages.Begin | Line, PeerFailure> => {
            if (!isControl(line) || line._tag === "Begin") return Stream.succeed(line)
            if (line._tag === "End") isComplete = true
            return line._tag === "Failed" ? Stream.fail(fail(`failed: ${line.detail}`)) : Stream.empty
          }),
          Stream.concat(
            Stream.suspend(() => (isComplete ? Stream.empty : Stream.fail(fail("stopped in the middle of an answer"))))
          )
        )
      }
    }
  }
})

const controlTags: ReadonlySet<string> = new Set(["Begin", "Alive", "Failed", "End"])

const isControl = (line: { readonly _tag: string }): line is PeerMessages.Control => controlTags.has(line._tag)
