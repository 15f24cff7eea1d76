/** Sends requests to the owners of their repositories. */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../api/ApiError.ts"
import { PeerLost } from "../base/Peers.ts"
import { clientAddress, type IncomingRequest, isRead, type Request } from "../http/IncomingRequest.ts"
import { RequestForwarding } from "../http/RequestForwarding.ts"
import type { StoreRevision } from "../storage/StoreRevision.ts"
import * as CallResult from "./CallResult.ts"
import {
  CALL_PATH,
  CLIENT_HEADER,
  FORWARDED_PATH,
  ID_HEADER,
  moveLimit,
  OWN_PREFIX,
  REPOSITORY_HEADER,
  REVISION_HEADER
} from "./ClusterSettings.ts"
import { type InternalClient, type InternalRequest, SMALL } from "./InternalClient.ts"
import type { OwnedRepositories } from "./OwnedRepositories.ts"

/** No process owns the repository now. */
export class OwnerUnknown extends Schema.TaggedError<OwnerUnknown>()("OwnerUnknown", { repositoryId: Schema.Int }) {}

interface Options {
  readonly client: InternalClient
  /** Finds the process that owns a repository, and lets it take the repository over. */
  readonly findOwner: (repositoryId: number) => Effect.Effect<string, OwnerUnknown>
  readonly owned: OwnedRepositories
  readonly revision: Pick<StoreRevision["Service"], "answered">
  /** Name of this process. */
  readonly runner: string
  /** Maximum time that a request waits for an owner of its repository. */
  readonly limit?: Duration.Duration
}

/** A request at its owner. */
interface Forwarded {
  readonly repositoryId: number
  readonly isReading: boolean
  readonly isRepeatable: boolean
}

/** True for a request that changes nothing: also a clone or fetch, whose method is POST. */
export const isReading = ({ method = "", url = "" }: Pick<IncomingMessage, "method" | "url">): boolean =>
  isRead(method) || /\/git-upload-pack(?:\?|$)/.test(url)

/** True for a read without a body, which is gone after the first attempt. */
const isRepeatable = ({ headers, method }: Request) =>
  isRead(method) && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined

/** What a process answered that owns the repository. */
interface Answered<A> {
  readonly value: A
}

/** Status of a process that does not own the repository (RFC 9110 §15.5.20). */
export const MISDIRECTED = 421

/** Maximum number of remembered owners, and the pause in milliseconds before an unknown owner is asked for again. */
const MAX_OWNERS = 100_000
const PAUSE = 100

/** Headers of one connection (RFC 9110 §7.6.1), and those that each connection sets itself. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const endToEnd = <A>(headers: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)))

export const make = ({
  client,
  findOwner,
  limit = moveLimit,
  owned,
  revision,
  runner
}: Options): RequestForwarding["Service"] => {
  /** The last known owners. An owner that refuses a request is asked for again. */
  const owners = new Map<number, string>()

  const ownerOf = (repositoryId: number) =>
    Effect.suspend(() => {
      const known = owners.get(repositoryId)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(findOwner(repositoryId), (owner) =>
        Effect.sync(() => {
          if (owners.size >= MAX_OWNERS) owners.clear()
          owners.set(repositoryId, owner)
        })
      )
    })

  /**
   * Runs `local`, or `remote` at another owner, as soon as the repository has an owner. `remote` gives undefined
   * if the process does not own the repository. A request whose owner is lost runs again only if it `isRepeatable`;
   * otherwise it may have changed something, unless it is `isReading`.
   */
  const atOwner = <A, E>(
    { isReading, isRepeatable, repositoryId }: Forwarded,
    local: (leave: () => void) => Effect.Effect<A, E>,
    remote: (owner: string) => Effect.Effect<Answered<A> | undefined, PeerLost | ApiError.ApiError>
  ): Effect.Effect<A, E | ApiError.ApiError> => {
    const forget = Effect.sync(() => {
      owners.delete(repositoryId)
      return undefined
    })
    const elsewhere = ownerOf(repositoryId).pipe(
      Effect.flatMap((owner) => (owner === runner ? forget : remote(owner))),
      Effect.tap((answer) => (answer === undefined ? forget : Effect.void)),
      Effect.catch((error) => {
        if (error instanceof OwnerUnknown) return Effect.undefined
        if (!(error instanceof PeerLost)) return Effect.fail(error)
        if (!error.mayHaveRun || isRepeatable) return forget
        return Effect.andThen(forget, Effect.fail(isReading ? moving() : unknownOutcome()))
      })
    )
    const deadline = performance.now() + Duration.toMillis(limit)
    const attempt: Effect.Effect<A, E | ApiError.ApiError> = Effect.suspend(() => {
      const leave = owned.enter(repositoryId)
      if (leave !== undefined) return local(leave)
      return Effect.flatMap(elsewhere, (answer) => {
        if (answer !== undefined) return Effect.succeed(answer.value)
        if (performance.now() > deadline) return Effect.fail(moving())
        return Effect.andThen(Effect.sleep(PAUSE), attempt)
      })
    })
    return attempt
  }

  /** A request in progress keeps its repository: a write until its response is sent, a read until it is ready. */
  const keeping = <A, E>(request: Request, leave: () => void, local: () => Effect.Effect<A, E>) => {
    const response = isReading(request) ? undefined : serverResponse(request)
    if (response === undefined || response.closed) return Effect.ensuring(Effect.suspend(local), Effect.sync(leave))
    response.once("close", leave)
    return local()
  }

  const answer: RequestForwarding["Service"]["answer"] = (request, repositoryId, local, forwarded) =>
    atOwner(
      { repositoryId, isReading: isReading(request.request), isRepeatable: isRepeatable(request.request) },
      (leave) => keeping(request.request, leave, local),
      (owner) =>
        Effect.flatMap(
          sending(client, owner, request.request, {
            method: request.request.method,
            path: FORWARDED_PATH + request.request.url,
            headers: forwardedHeaders(request, repositoryId, revision.answered())
          }),
          (message) =>
            Effect.map(responseOf(request.request, message), (response) =>
              response === undefined ? undefined : { value: forwarded(response) }
            )
        )
    )

  const call: RequestForwarding["Service"]["call"] = (request, repositoryId, operation, local) =>
    atOwner(
      { repositoryId, isReading: false, isRepeatable: false },
      (leave) => Effect.ensuring(Effect.suspend(local), Effect.sync(leave)),
      (owner) =>
        Effect.flatMap(
          client.send(owner, {
            method: "POST",
            path: CALL_PATH,
            headers: {
              ...forwardedHeaders(request, repositoryId, revision.answered()),
              "content-type": "application/json"
            },
            body: Buffer.from(JSON.stringify(operation))
          }),
          (message) =>
            message.statusCode === MISDIRECTED
              ? Effect.as(discard(message), undefined)
              : Effect.flatMap(received(message), (body) => Effect.map(CallResult.decode(body), (value) => ({ value })))
        )
    )

  return RequestForwarding.of({ isAlone: false, answer, call })
}

const moving = () => ApiError.unavailable("The repository moves to another process of the forge. Retry later")

const unknownOutcome = () =>
  ApiError.unavailable(
    "The process that owns the repository stopped answering. A change may have been made or not. Check, then retry"
  )

/** The request as Node received it, which a client in the same process lacks. */
const isFromSocket = (request: Request): request is Request & HttpServerRequest.HttpServerRequest =>
  "source" in request && typeof request.source === "object" && "httpVersion" in (request.source ?? {})

const serverResponse = (request: Request) =>
  isFromSocket(request) ? NodeHttpServerRequest.toServerResponse(request) : undefined

const forwardedHeaders = ({ id, request }: IncomingRequest, repositoryId: number, answered: string | undefined) => {
  const { "content-length": _, ...headers } = endToEnd(request.headers)
  // No client speaks for a process of the cluster.
  for (const name of Object.keys(headers)) if (name.startsWith(OWN_PREFIX)) delete headers[name]
  return {
    ...headers,
    [REPOSITORY_HEADER]: String(repositoryId),
    [CLIENT_HEADER]: clientAddress(request),
    [ID_HEADER]: id,
    ...(answered === undefined ? {} : { [REVISION_HEADER]: answered })
  }
}

/**
 * Sends a request with its body, which is read once the owner agrees: a repository can arrive here meanwhile, and then
 * this process reads it. A client in the same process has the whole body.
 */
const sending = (client: InternalClient, owner: string, request: Request, head: InternalRequest) => {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers
  if (length === undefined && encoding === undefined) return client.send(owner, head)
  if (!isFromSocket(request)) {
    const body = Effect.mapError(
      request.arrayBuffer,
      () => new PeerLost({ peer: owner, detail: "the client ended its request", mayHaveRun: false })
    )
    return Effect.flatMap(body, (bytes) => client.send(owner, { ...head, body: new Uint8Array(bytes) }))
  }
  const source = NodeHttpServerRequest.toIncomingMessage(request)
  const headers = length === undefined ? head.headers : { ...head.headers, "content-length": length }
  return client.send(owner, { ...head, headers, body: source })
}

/** Reads a response to its end. A connection that ends early is a lost process. */
const received = (message: IncomingMessage) =>
  Effect.callback<Uint8Array, PeerLost>((resume) => {
    const chunks: Array<Uint8Array> = []
    message
      .on("data", (chunk: Uint8Array) => chunks.push(chunk))
      .once("end", () => {
        const [only] = chunks
        resume(Effect.succeed(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)))
      })
      .once("error", (error) =>
        resume(Effect.fail(new PeerLost({ peer: peerOf(message), detail: error.message, mayHaveRun: true })))
      )
    return Effect.sync(() => message.destroy())
  })

const discard = (message: IncomingMessage) => Effect.sync(() => void message.resume())

const peerOf = ({ socket }: IncomingMessage) => `${socket.remoteAddress}:${socket.remotePort}`

/** Converts the response of an owner. Undefined if the process does not own the repository. */
const responseOf = (request: Request, message: IncomingMessage) => {
  const { headers: all, statusCode: status = 502 } = message
  if (status === MISDIRECTED) return Effect.as(discard(message), undefined)
  const headers = Object.fromEntries(
    Object.entries(endToEnd(all)).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const]) // pairs
    )
  )
  const { "content-length": length, "content-type": contentType, ...others } = headers
  const isRedirect = status >= 300 && status < 400 && contentType === undefined
  const hasNoBody = request.method === "HEAD" || status === 204 || status === 304 || isRedirect || length === "0"
  if (hasNoBody) {
    const given = request.method === "HEAD" ? headers : others
    return Effect.as(discard(message), HttpServerResponse.empty({ status, headers: given }))
  }
  if (length !== undefined && Number(length) <= SMALL) {
    return Effect.map(received(message), (body) =>
      HttpServerResponse.uint8Array(body, { status, headers: others, contentType })
    )
  }
  const body = NodeStream.fromReadable<Uint8Array, PeerLost>({
    evaluate: () => message,
    onError: (error) => new PeerLost({ peer: peerOf(message), detail: String(error), mayHaveRun: true })
  })
  return Effect.succeed(
    HttpServerResponse.stream(body, {
      status,
      headers: others,
      contentType,
      contentLength: length === undefined ? undefined : Number(length)
    })
  )
}
