/** A forge without data that records requests, the arguments of every write, and clients that answer questions. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as McpSchema from "effect/ai/McpSchema"
import { TestClock } from "effect/testing"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Forge } from "@tongs/core/client/Forge"
import * as Catalog from "@tongs/core/contract/Catalog"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Arguments } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import * as ReadMarks from "../files/ReadMarks.ts"
import * as Guard from "./Guard.ts"

/** A request that the forge received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly body: Arguments
}

export const BASE_URL = "http://forge.test"

/** Answers 404 to everything but `GET /user`. */
const notFound = ({ method, path }: Received): Response =>
  method === "GET" && path === "/user"
    ? Response.json(Samples.user("octo"))
    : // A forge with extensions, for which the client sends further calls.
      Response.json({ message: "Not Found" }, { status: 404, headers: { "x-tongs-extension": "true" } })

/** Creates a client of a forge, and the list of received requests. */
export const recordingForge = Effect.fnUntraced(function* (respond: (request: Received) => Response = notFound) {
  const received: Array<Received> = []
  const http = HttpClient.make((request, url) =>
    Effect.sync(() => {
      const { body } = request
      const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "{}"
      const path = url.href.slice(url.origin.length)
      const isJson = body._tag !== "Uint8Array" || body.contentType.startsWith("application/json")
      const one = { method: request.method, path, body: isJson ? JSON.parse(text) : { text } }
      received.push(one)
      return HttpClientResponse.fromWeb(request, respond(one))
    })
  )
  const forge = yield* Forge.make({ baseUrl: BASE_URL, token: Redacted.make("secret") }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
    Effect.provide(Scheduler.layerMemory)
  )
  return { forge, received, writes: () => received.filter(({ method }) => method !== "GET" && method !== "HEAD") }
})

/** Creates a guard that allows writes. */
export const guard = (forge: Forge["Service"], options: Partial<Guard.Options> = {}) =>
  Guard.make(
    { allowWrites: true, confirm: "ask", dryRun: false, ...options },
    { forge, label: "forge.test", shown: ReadMarks.makeShown() }
  )

export const call: Call = {
  now: 0,
  deadline: 40_000,
  position: undefined,
  defaultRepository: undefined,
  limits: Effect.die("unexpected"),
  keepPartial: () => Effect.void,
  pauseDeadline: (effect) => effect,
  searchesWorkTrees: false,
  reportProgress: () => Effect.void
}

/** Context of a request of the stateless protocol version. */
export const request = (fields: Partial<McpSchema.McpRequestContext["Service"]> = {}) =>
  McpSchema.McpRequestContext.of({
    clientId: 0,
    protocolVersion: "2026-07-28",
    clientCapabilities: new McpSchema.ClientCapabilities({ elicitation: {} }),
    ...fields
  })

/** A client without elicitation. */
export const withoutForms = request({ clientCapabilities: new McpSchema.ClientCapabilities({}) })

/** A session whose client answers every question, or fails to. `questions` has the texts. */
export const session = (
  answer: Effect.Effect<McpSchema.ElicitResult>,
  clientCapabilities = new McpSchema.ClientCapabilities({ elicitation: {} }),
  protocolVersion: McpSchema.McpServerClient["Service"]["protocolVersion"] = "2025-11-25"
) => {
  const questions: Array<string> = []
  const clientInfo = McpSchema.Implementation.make({ name: "test", version: "1" })
  const client: McpSchema.McpServerClient["Service"] = {
    clientId: 0,
    protocolVersion,
    clientCapabilities,
    clientInfo,
    initializePayload: {
      protocolVersion,
      capabilities: clientCapabilities,
      clientInfo
    },
    getClient: Effect.succeed({
      listRoots: () => Effect.die("unexpected"),
      createMessage: () => Effect.die("unexpected"),
      elicit: ({ message }) => {
        questions.push(message)
        return answer
      }
    })
  }
  return { client, questions }
}

/** A client of a call, in a session or without. */
export interface TestClient {
  readonly request: McpSchema.McpRequestContext["Service"]
  readonly session?: McpSchema.McpServerClient["Service"]
  readonly call?: Partial<Call>
}

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const // literal types

/** A client with a session, which gives this answer to the question, and confirms nothing. */
const unconfirming = (
  answer: Effect.Effect<McpSchema.ElicitResult>,
  version?: (typeof versions)[number]
): TestClient => ({
  request: request(),
  session: session(answer, undefined, version).client
})

const decline = (action: "decline" | "cancel") => Effect.succeed(new McpSchema.ElicitDeclineResult({ action }))

/** Clients that cannot confirm, or do not, with each version of the protocol. */
export const unconfirmed: Readonly<Record<string, TestClient>> = {
  "without elicitation, stateless": { request: withoutForms },
  "with elicitation, stateless": { request: request() },
  "with elicitation by URL only": {
    request: request({ clientCapabilities: new McpSchema.ClientCapabilities({ elicitation: { url: {} } }) })
  },
  "malformed: made-up state": {
    request: request({
      requestState: "made.up.state",
      inputResponses: { confirm: { action: "accept", content: {} } }
    })
  },
  "malformed: broken answer": unconfirming(Effect.die("broken")),
  cancelling: unconfirming(decline("cancel")),
  ...Object.fromEntries(
    versions.flatMap((version) => [
      [`declining, ${version}`, unconfirming(decline("decline"), version)],
      [
        `without elicitation, ${version}`,
        { request: withoutForms, session: session(Effect.never, new McpSchema.ClientCapabilities({}), version).client }
      ]
    ])
  ),
  // Listed last, because the time passes for all.
  "slow: no answer in time": {
    ...unconfirming(Effect.andThen(TestClock.adjust("6 minutes"), Effect.never)),
    call: { deadline: Infinity }
  }
}

/** The operations that write. */
export const writeEntries = Catalog.entries.filter(({ readonly }) => !readonly)

/** Path parameters whose values have a form. */
const pathArguments: Arguments = { ref: "heads/old", org: "octo", owner: "octo", repo: "hello", user_id: "octo" }

/**
 * Returns arguments of an operation: all declared arguments, then arguments that cannot be undone, if the operation has
 * any.
 */
export const inputsOf = (entry: Catalog.CatalogEntry): ReadonlyArray<Arguments> => {
  const payload = Catalog.payloadSchema(entry.endpoint)
  const body = payload === undefined ? {} : Object(Samples.of(payload))
  const path = entry.fields
    .filter((field) => field.in === "path" || (field.in === "query" && field.required))
    .map(({ kind, name }) => [name, pathArguments[name] ?? (kind === "integer" ? 1 : "one")] as const)
  const all: Arguments = { ...body, ...Object.fromEntries(path) }
  const { reversible } = entry.operation
  const variants = typeof reversible === "boolean" ? [] : Object.entries(reversible.except)
  return [all, ...variants.filter(([, value]) => value !== "any").map(([name, value]) => ({ ...all, [name]: value }))]
}

/**
 * Returns arguments of a tool that calls an operation: the operation's own tool, or one that takes the name of an
 * operation.
 */
export const argumentsOf = (
  tool: { readonly name: string; readonly inputSchema: { readonly properties: Arguments } },
  entries: ReadonlyArray<Catalog.CatalogEntry>
): ReadonlyArray<Arguments> => {
  const { properties } = tool.inputSchema
  if ("operation" in properties && "arguments" in properties) {
    return entries.flatMap((entry) =>
      inputsOf(entry).map((args) => ({ operation: `${entry.group}.${entry.name}`, arguments: args }))
    )
  }
  const own = entries.find((entry) => entry.tool === tool.name)
  return (own === undefined ? [] : inputsOf(own)).map(({ owner, ...args }) => ({
    ...args,
    ...(owner === undefined ? {} : { repo: "octo/hello" })
  }))
}

/**
 * Returns true for a request that makes access or data available to other users. Independent of the declarations of the
 * contract.
 */
const givesToOthers = ({ body, method, path }: Received): boolean => {
  switch (method) {
    case "POST":
      return (
        /^\/(user|repos\/[^/]+\/[^/]+)\/keys$|^\/user\/(gpg|ssh_signing)_keys$/.test(path) ||
        /\/hooks$|^\/orgs\/[^/]+\/(invitations|teams|actions\/variables)$|^\/repos\/[^/]+\/[^/]+\/transfer$/.test(
          path
        ) ||
        /\/actions\/runs\/\d+\/(approve|pending_deployments|deployment_protection_rule)$/.test(path)
      )
    case "PUT":
      if (path.endsWith("/actions/permissions")) return body["enabled_repositories"] !== "none"
      if (path.endsWith("/fork-pr-contributor-approval")) return body["approval_policy"] !== "all_external_contributors"
      return (
        path.endsWith("/fork-pr-workflows-private-repos") ||
        /\/(collaborators|memberships|public_members)\/[^/]+$|\/teams\/[^/]+\/repos\/|^\/orgs\/[^/]+\/actions\/(secrets|variables)\//.test(
          path
        ) ||
        /^\/user\/installations\/[^/]+\/repositories\//.test(path)
      )
    case "PATCH":
      if (path === "/user") return body["email"] !== undefined
      if (path === "/user/email/visibility") return body["visibility"] === "public"
      if (/^\/orgs\/[^/]+$/.test(path)) return body["default_repository_permission"] !== undefined
      return /^\/repos\/[^/]+\/[^/]+\/invitations\/[^/]+$|^\/orgs\/[^/]+\/(teams|actions\/variables)\/[^/]+$/.test(path)
    case "DELETE":
      return path.endsWith("/suspended")
    default:
      return false
  }
}

/** Returns true for a request that the user has to confirm. */
export const isRisky = (request: Received): boolean => cannotBeUndone(request) || givesToOthers(request)

/** Paths of DELETE requests after which another request restores the state. */
const canBeRestored =
  /\/blocks\/|^\/user\/(following|starred)\/|\/suspended$|\/issues\/\d+\/(lock|labels|assignees|sub_issue|dependencies)\b|\/requested_reviewers$|\/pin$|\/reactions\/|\/subscription$|\/public_members\/|\/immutable-releases(\/repositories\/\d+)?$/

/** Returns true for a request that cannot be undone. Independent of the declarations of the contract. */
const cannotBeUndone = ({ body, method, path }: Received): boolean => {
  if (method === "DELETE") return !canBeRestored.test(path)
  if (/\/branches\/[^/]+\/protection\b|\/reviews\/\d+\/(events|dismissals)$/.test(path)) return true
  if (/\/properties\/(schema\b|values$)/.test(path)) return true
  if (method === "POST") return path.endsWith("/merge-upstream")
  if (method === "PUT" && path.endsWith("/settings/immutable-releases")) return "selected_repository_ids" in body
  if (method === "PUT")
    return /\/immutable-releases\/repositories$|\/pulls\/\d+\/(merge|update-branch)$|\/saved-searches\/[^/]+\/seen$|\/issues\/\d+\/(lock|labels)$|\/notifications$|\/outside_collaborators\/|\/(secrets|environments)\/[^/]+$/.test(
      path
    )
  if (method !== "PATCH") return false
  if (/^\/(notifications\/threads|user\/repository_invitations|user\/memberships\/orgs)\/[^/]+$/.test(path)) return true
  if (path === "/user/email/visibility") return true
  if (path.endsWith("/sub_issues/priority")) return true
  if (/\/releases\/\d+$/.test(path))
    return body["draft"] === false || ["make_latest", "discussion_category_name"].some((name) => name in body)
  if (/\/issues\/\d+$/.test(path)) return body["duplicate_issue_id"] !== undefined
  if (/\/hooks\/[^/]+(\/config)?$|\/check-runs\/\d+$|\/check-suites\/preferences$/.test(path)) return true
  if (path.includes("/git/refs/")) return body["force"] === true
  const isRepository = /^\/repos\/[^/]+\/[^/]+$/.test(path)
  return isRepository && (body["private"] === false || body["visibility"] === "public" || body["archived"] === true)
}
