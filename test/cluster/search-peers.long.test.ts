/** How a process of a cluster asks another one over sockets: a closed connection ends the search, silence does not last. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Peers } from "@tongs/service/base/Peers"
import { InternalClient } from "@tongs/service/cluster/InternalClient"
import * as PeerClient from "@tongs/service/search/cluster/PeerClient"
import * as PeerMessages from "@tongs/service/search/cluster/PeerMessages"
import * as RepositorySet from "@tongs/service/search/cluster/RepositorySet"
import * as PeerAnswer from "@tongs/service/search/peers/PeerAnswer"
import { StoreRevision } from "@tongs/service/storage/StoreRevision"

const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens at a port
        resume(Effect.succeed(`127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** A process whose answers have these lines. */
const answering = Effect.fnUntraced(function* (lines: Stream.Stream<string>) {
  const answer = Effect.sync(() => HttpServerResponse.stream(PeerAnswer.bytes("", lines)))
  const scope = yield* Effect.scope
  return yield* listen(createServer(yield* NodeHttpServer.makeHandler(Effect.interruptible(answer), { scope })))
})

const client = new InternalClient("secret")

const peers = Layer.succeed(
  Peers,
  Peers.of({
    list: Effect.succeed([]),
    post: (peer, path, json) => client.post(peer, path, json)
  })
)

const revision = Layer.mock(StoreRevision, {
  current: () => "1",
  access: () => "1",
  refresh: () => undefined,
  answered: () => undefined,
  isIsolated: undefined
})

const ask = (peer: string) =>
  Stream.unwrap(
    Effect.map(PeerClient.make, (client) =>
      client.method(PeerMessages.packages)(peer, RepositorySet.of([]), { key: "npm:a" })
    )
  ).pipe(Stream.provide(Layer.merge(peers, revision)))

const failure = (peer: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const result = yield* Effect.result(Stream.runDrain(ask(peer)))
    const millis = performance.now() - begun
    return { millis, message: Result.isFailure(result) ? result.failure.message : "" }
  })

it.live("ends the search of a process when nobody reads its answer", () =>
  Effect.gen(function* () {
    let count = 0
    let hasEnded = false
    const line = JSON.stringify({ _tag: "Packages", found: [], isIncomplete: false, more: "x".repeat(10_000) })
    const endless = Stream.forever(Stream.succeed(line)).pipe(
      Stream.rechunk(1),
      Stream.tap(() => Effect.sync(() => (count += 1))),
      Stream.ensuring(Effect.sync(() => (hasEnded = true)))
    )
    const peer = yield* answering(endless)
    assert.strictEqual((yield* Stream.runCollect(Stream.take(ask(peer), 3))).length, 3)
    yield* Effect.sleep("1 second")
    assert.isTrue(hasEnded)
    assert.isBelow(count, 1_000)
  })
)

it.live("waits for a process that searches for a long time", () =>
  Effect.gen(function* () {
    const peer = yield* answering(Stream.never)
    const result = yield* Effect.timeoutOption(Stream.runDrain(ask(peer)), Duration.seconds(3))
    assert.isTrue(Option.isNone(result))
  })
)

it.live("gives up a process that is silent, or gone", () =>
  Effect.gen(function* () {
    const silent = yield* failure(yield* listen(createServer(() => {})))
    assert.match(silent.message, /was silent for 900 ms$/)
    assert.isBelow(silent.millis, 2_000)
    const gone = yield* Effect.scoped(answering(Stream.never))
    const refused = yield* failure(gone)
    assert.match(refused.message, /cannot be reached/)
    assert.isBelow(refused.millis, 900)
  })
)
