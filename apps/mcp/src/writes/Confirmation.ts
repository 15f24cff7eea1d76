/**
 * Asks the user, through the client of the call, to confirm calls that cannot be undone or make data available to other
 * users.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as McpSchema from "effect/ai/McpSchema"
import { ToolError } from "../call/ToolError.ts"
import type { Sealed, SealedState } from "./SealedState.ts"

/** Maximum time to wait for the user's answer in a session. */
const timeout = Duration.minutes(5)

/** Name of the question in a result that requires input. */
export const QUESTION = "confirm"

/** A call that needs the user's confirmation. */
export interface PendingCall {
  /** Name of the operation. */
  readonly summary: string
  readonly question: string
  readonly isReversible: boolean
  /** The facts for which the confirmation is valid. */
  readonly sealed: Sealed
}

/**
 * Returns `undefined` for a confirmed call, and `InputRequired` if the client has to ask the user and to call again. In a
 * session, asks the user and waits. Fails with `ToolError` if the user does not agree, or if the client cannot ask.
 */
export const confirm = Effect.fnUntraced(function* (call: PendingCall, state: SealedState) {
  const { clientCapabilities, inputResponses, requestState } = yield* McpSchema.McpRequestContext
  const session = yield* Effect.serviceOption(McpSchema.McpServerClient)
  const client = Option.isSome(session) ? session.value.clientCapabilities : clientCapabilities
  if (!supportsForms(client))
    return yield* refused(call, "this client cannot ask the user to confirm it", WITHOUT_FORMS)
  if (Option.isSome(session)) return yield* confirmInSession(call, session.value)
  const now = yield* Clock.currentTimeMillis
  if (requestState === undefined && inputResponses === undefined) {
    return new McpSchema.InputRequired({
      inputRequests: { [QUESTION]: { method: "elicitation/create", params: form(call) } },
      requestState: state.seal(call.sealed, now)
    })
  }
  const problem = state.open(requestState ?? "", call.sealed, now)
  if (problem !== undefined) {
    return yield* refused(
      call,
      `the confirmation is invalid: ${problem}`,
      "Call again without requestState to ask the user again."
    )
  }
  if (inputResponses?.[QUESTION]?.["action"] !== "accept")
    return yield* refused(call, "the user did not agree", NOT_AGAIN)
  return undefined
})

const confirmInSession = Effect.fnUntraced(function* (
  call: PendingCall,
  { getClient }: McpSchema.McpServerClient["Service"]
) {
  const answer = yield* getClient.pipe(
    Effect.flatMap((reverse) => reverse.elicit(new McpSchema.ElicitRequestFormParams(form(call)))),
    Effect.scoped,
    Effect.timeoutOption(timeout),
    Effect.orElseSucceed(() => Option.none()),
    // The client sent an answer that violates the protocol.
    Effect.catchDefect(() => Effect.succeedNone)
  )
  if (Option.isNone(answer)) return yield* refused(call, "the user did not answer", NOT_AGAIN)
  if (answer.value.action !== "accept") return yield* refused(call, "the user did not agree", NOT_AGAIN)
  return undefined
})

/** Returns true for a client that shows forms. Without a mode, clients support forms. */
const supportsForms = ({ elicitation }: McpSchema.ClientCapabilities): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)

/** Creates a form without fields, whose submission confirms the call. */
const form = ({ question }: PendingCall) =>
  ({ mode: "form", message: question, requestedSchema: { type: "object", properties: {} } }) as const // literal types

const NOT_AGAIN = "Do not repeat it unless the user asks for it."

const WITHOUT_FORMS =
  "The user can allow such calls by starting the server with `tongs mcp --allow-writes --confirm=never`. Tell them which call you want to make, and why."

const refused = ({ isReversible, summary }: PendingCall, reason: string, advice: string) =>
  new ToolError({
    detail: `${summary}: nothing was done. This call ${isReversible ? "gives access or data to others" : "cannot be undone"}, and ${reason}. ${advice}`
  })
