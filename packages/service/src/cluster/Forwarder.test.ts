import { randomBytes } from "node:crypto"
import { createServer, request, type Server } from "node:http"
import { once } from "node:events"
import { Readable } from "node:stream"
import { assert, it } from "@effect/vitest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Stream } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"
import { fromRequest } from "../http/IncomingRequest.ts"
import {
  CALL_PATH,
  CLIENT_HEADER,
  FORWARDED_PATH,
  ID_HEADER,
  REVISION_HEADER,
  runnerName,
  SECRET_HEADER
} from "./ClusterSettings.ts"
import * as Forwarder from "./Forwarder.ts"
import { InternalClient } from "./InternalClient.ts"
import * as InternalServer from "./InternalServer.ts"
import { OwnedRepositories } from "./OwnedRepositories.ts"

const SECRET = "secret of the cluster"

const freePort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
})

type Answer = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Answers with what arrived: method, URL, headers and body. */
const echo: Answer = (request) =>
  Effect.gen(function* () {
    const body = yield* Effect.promise(() => Effect.runPromise(Effect.orDie(request.arrayBuffer)))
    return HttpServerResponse.stream(Stream.make(new Uint8Array(body)), {
      status: 207,
      headers: {
        "x-method": request.method,
        "x-url": request.url,
        "x-client": request.headers[CLIENT_HEADER] ?? "",
        "x-id": request.headers[ID_HEADER] ?? "",
        "x-revision": request.headers[REVISION_HEADER] ?? "none",
        "x-tongs-extension": "true",
        "x-authorization": request.headers.authorization ?? ""
      }
    })
  })

/** A process whose internal server runs. */
const startOwner = Effect.fnUntraced(function* (answer: Answer = echo, paths: InternalServer.Options["paths"] = {}) {
  const address = { host: "127.0.0.1", port: yield* freePort }
  const owned = new OwnedRepositories(() => true)
  yield* InternalServer.serve({ address, secret: SECRET, owned, paths, answer })
  return { owned, runner: runnerName(address) }
})

/** A process that clients reach, with the owners that it finds. Answers `local` itself. */
const startDoor = Effect.fnUntraced(function* (findOwner: () => string | undefined) {
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new InternalClient(SECRET)),
    (client) => Effect.sync(() => client.close())
  )
  const owned = new OwnedRepositories(() => true)
  const forwarding = Forwarder.make({
    client,
    owned,
    revision: { answered: () => undefined },
    runner: "127.0.0.1:1",
    limit: Duration.seconds(1),
    findOwner: (repositoryId) =>
      Effect.suspend(() => {
        const owner = findOwner()
        return owner === undefined ? Effect.fail(new Forwarder.OwnerUnknown({ repositoryId })) : Effect.succeed(owner)
      })
  })
  const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    forwarding
      .answer(
        fromRequest("service", request),
        7,
        () =>
          Stream.mkString(Stream.decodeText(Stream.orDie(request.stream))).pipe(
            Effect.map((body) => HttpServerResponse.text(body === "" ? "local" : `local: ${body}`))
          ),
        (response) => response
      )
      .pipe(
        Effect.catch((error: ApiError.ApiError) =>
          Effect.succeed(HttpServerResponse.text(ApiError.body(error), { status: ApiError.status(error) }))
        )
      )
  )
  const server: Server = createServer()
  const listener = yield* NodeHttpServer.makeHandler(Effect.interruptible(answer), { scope: yield* Effect.scope })
  server.on("request", listener).listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  return { client, owned, url }
})

const send = (url: string, init?: RequestInit, path = "/repos/ada/web?x=%C3%A4") =>
  Effect.promise(async () => {
    const response = await fetch(url + path, init)
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
  })

const streamed = (bytes: Buffer, method = "POST"): RequestInit => ({
  method,
  body: Readable.toWeb(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)])),
  duplex: "half"
})

it.live("requests of all sizes, and their responses, pass unchanged to the owner and back", () =>
  Effect.gen(function* () {
    const { owned, runner } = yield* startOwner()
    owned.add(7)
    const { url } = yield* startDoor(() => runner)
    const large = randomBytes(3_000_000)
    const cases: ReadonlyArray<readonly [RequestInit, Buffer]> = [
      [{ headers: { authorization: "Bearer x" } }, Buffer.alloc(0)],
      [{ method: "DELETE" }, Buffer.alloc(0)],
      [{ method: "POST", body: "{}" }, Buffer.from("{}")],
      [{ method: "PUT", body: large }, large],
      [streamed(large), large],
      [streamed(large, "DELETE"), large]
    ]
    for (const [init, body] of cases) {
      const response = yield* send(url, init)
      assert.strictEqual(response.status, 207)
      assert.strictEqual(response.headers.get("x-method"), init.method ?? "GET")
      assert.strictEqual(response.headers.get("x-url"), "/repos/ada/web?x=%C3%A4")
      assert.match(response.headers.get("x-client") ?? "", /127\.0\.0\.1$/)
      assert.match(response.headers.get("x-id") ?? "", /^[0-9a-f-]{36}$/)
      assert.isTrue(response.body.equals(body))
    }
  })
)

it.live("a client cannot speak for a process of the cluster", () =>
  Effect.gen(function* () {
    const { owned, runner } = yield* startOwner()
    owned.add(7)
    const { url } = yield* startDoor(() => runner)
    const headers = { [REVISION_HEADER]: "1", [CLIENT_HEADER]: "10.9.9.9", [ID_HEADER]: "chosen" }
    const response = yield* send(url, { headers })
    assert.strictEqual(response.headers.get("x-revision"), "none")
    assert.notInclude(response.headers.get("x-client"), "10.9.9.9")
    assert.notStrictEqual(response.headers.get("x-id"), "chosen")
    assert.strictEqual(response.headers.get("x-tongs-extension"), "true")
  })
)

it.live("no path of a client reaches the internal server's own paths", () =>
  Effect.gen(function* () {
    const secret = HttpServerResponse.text("only for processes of the cluster")
    const { owned, runner } = yield* startOwner(echo, { [CALL_PATH]: Effect.succeed(secret) })
    owned.add(7)
    const { url } = yield* startDoor(() => runner)
    const path = `${CALL_PATH}.git/git-upload-pack`
    const response = yield* send(url, { method: "POST", body: "{}" }, path)
    assert.strictEqual(response.status, 207)
    assert.strictEqual(response.headers.get("x-url"), path)
  })
)

it.live("an owner that lost the repository is asked for again, also with a large body", () =>
  Effect.gen(function* () {
    const [former, present] = [yield* startOwner(), yield* startOwner()]
    present.owned.add(7)
    let asked = 0
    const { url } = yield* startDoor(() => (asked++ === 0 ? former.runner : present.runner))
    const large = randomBytes(500_000)
    const response = yield* send(url, streamed(large))
    assert.strictEqual(response.status, 207)
    assert.isTrue(response.body.equals(large))
    assert.strictEqual(asked, 2)
  })
)

it.live("an owner that answers before it has read the body ends the upload", () =>
  Effect.gen(function* () {
    // The body is read and left, as by a file on a full disk. The connection closes after the response.
    const { owned, runner } = yield* startOwner((request) =>
      request.stream.pipe(
        Stream.take(1),
        Stream.runDrain,
        Effect.orDie,
        Effect.as(HttpServerResponse.text("full", { status: 507 }))
      )
    )
    owned.add(7)
    const { url } = yield* startDoor(() => runner)
    const status = yield* Effect.callback<number>((resume) => {
      const sent = request(`${url}/ada/web`, { method: "POST", headers: { "content-length": 64 * 1024 * 1024 } })
      let status = 0
      sent.on("response", (response) => (status = response.resume().statusCode ?? 0))
      sent.on("error", () => {})
      sent.on("close", () => resume(Effect.succeed(status)))
      Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024))).pipe(sent)
      return Effect.sync(() => sent.destroy())
    })
    assert.strictEqual(status, 507)
  })
)

it.live("a large body of this process is not sent before the receiver agrees", () =>
  Effect.gen(function* () {
    const sent: Array<string | undefined> = []
    const server = createServer().on("checkContinue", (request, response) => {
      sent.push(request.headers.expect)
      response.writeHead(Forwarder.MISDIRECTED, { connection: "close" }).end()
    })
    yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    const address = server.address()
    const { client } = yield* startDoor(() => undefined)
    const response = yield* client.send(`127.0.0.1:${typeof address === "object" ? address?.port : ""}`, {
      method: "POST",
      path: CALL_PATH,
      headers: {},
      body: randomBytes(3_000_000)
    })
    assert.strictEqual(response.statusCode, Forwarder.MISDIRECTED)
    assert.deepStrictEqual(sent, ["100-continue"])
  })
)

it.live("a repository that arrives here is answered here", () =>
  Effect.gen(function* () {
    const { owned, url } = yield* startDoor(() => undefined)
    setTimeout(() => owned.add(7), 200)
    assert.strictEqual((yield* send(url)).body.toString(), "local")
  })
)

it.live("a repository that arrives here after another process has refused it gets the whole body", () =>
  Effect.gen(function* () {
    const { runner } = yield* startOwner()
    const { owned, url } = yield* startDoor(() => {
      owned.add(7)
      return runner
    })
    assert.strictEqual((yield* send(url, { method: "POST", body: "a text" })).body.toString(), "local: a text")
  })
)

it.live("without an owner, a request gets 503 after a limited time", () =>
  Effect.gen(function* () {
    const { url } = yield* startDoor(() => undefined)
    const response = yield* send(url, { method: "POST", body: "{}" })
    assert.strictEqual(response.status, 503)
    assert.include(response.body.toString(), "moves to another process")
  })
)

it.live("a read whose owner stops answering runs at the next owner; a write says that its outcome is unknown", () =>
  Effect.gen(function* () {
    const stopped = yield* startOwner(() => Effect.never)
    stopped.owned.add(7)
    const next = yield* startOwner()
    next.owned.add(7)
    let owner = stopped.runner
    const { client, url } = yield* startDoor(() => owner)
    const lose = () => {
      owner = next.runner
      client.lose(stopped.runner)
    }
    setTimeout(lose, 300)
    assert.strictEqual((yield* send(url)).status, 207)
    owner = stopped.runner
    const write = startDoor(() => owner)
    const door = yield* write
    setTimeout(() => door.client.lose(stopped.runner), 300)
    const response = yield* send(door.url, { method: "POST", body: "{}" })
    assert.strictEqual(response.status, 503)
    assert.include(response.body.toString(), "may have been made or not")
  })
)

it.live("a process that is not there is not asked twice within one request", () =>
  Effect.gen(function* () {
    const { owned, runner } = yield* startOwner()
    owned.add(7)
    const nobody = `127.0.0.1:${yield* freePort}`
    let asked = 0
    const { url } = yield* startDoor(() => (asked++ === 0 ? nobody : runner))
    assert.strictEqual((yield* send(url, { method: "POST", body: "{}" })).status, 207)
    assert.strictEqual(asked, 2)
  })
)

it.live("the internal server refuses a request without the secret of the cluster", () =>
  Effect.gen(function* () {
    const { owned, runner } = yield* startOwner()
    owned.add(7)
    for (const secret of [undefined, "", "wrong", `${SECRET}x`]) {
      const headers: Record<string, string> = { "x-tongs-repository": "7" }
      if (secret !== undefined) headers[SECRET_HEADER] = secret
      const response = yield* send(`http://${runner}${FORWARDED_PATH}`, { headers })
      assert.strictEqual(response.status, 401)
    }
  })
)

it.live("a client that goes away ends the request at the owner", () =>
  Effect.gen(function* () {
    const ended = Promise.withResolvers<void>()
    const { owned, runner } = yield* startOwner(() =>
      Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.resolve()))
    )
    owned.add(7)
    const { url } = yield* startDoor(() => runner)
    yield* Effect.promise(() =>
      fetch(`${url}/repos/ada/web`, { signal: AbortSignal.timeout(300) }).then(
        () => assert.fail("no response"),
        () => ended.promise
      )
    )
  })
)
