/** Tools that ask the client: with a request in a session, or with a result that requires input. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as McpSchema from "effect/ai/McpSchema"
import { form, member, result, sampling, seal, text, type Tool, unseal } from "./Fixture.test-support.ts"

const name = { name: { type: "string" } }

/** Sends a request to the client of the session. Returns the response, or the reason for a missing one. */
const ask = <A, E>(send: (client: McpSchema.McpReverseClient) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
    if (Option.isNone(client)) return result(text("This client has no session."))
    const answer = yield* client.value.getClient.pipe(Effect.flatMap(send), Effect.scoped, Effect.result)
    return result(text(JSON.stringify(answer)))
  })

const askForm = (message: string, properties: Readonly<Record<string, object>>) =>
  ask((client) =>
    client.elicit(
      new McpSchema.ElicitRequestFormParams({
        mode: "form",
        message,
        // Some of these keywords are newer than the type.
        requestedSchema: { type: "object", properties, required: Object.keys(properties) } as never // oxlint-disable-line typescript/no-unsafe-type-assertion -- see above
      })
    )
  )

const defaults = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true }
}

const values = ["option1", "option2", "option3"]
const titled = values.map((value, index) => ({ const: value, title: `Option ${index + 1}` }))

const enums = {
  untitledSingle: { type: "string", enum: values },
  titledSingle: { type: "string", oneOf: titled },
  legacyEnum: { type: "string", enum: values, enumNames: ["One", "Two", "Three"] },
  untitledMulti: { type: "array", items: { type: "string", enum: values } },
  titledMulti: { type: "array", items: { anyOf: titled } }
}

type InputRequests = Readonly<Record<string, McpSchema.McpInputRequest>>

const required = (inputRequests: InputRequests, state?: string) =>
  new McpSchema.InputRequired({ inputRequests, ...(state === undefined ? {} : { requestState: seal(state) }) })

const isAnswer = ({ method }: McpSchema.McpInputRequest, response: unknown) => {
  switch (method) {
    case "elicitation/create":
      return member(response, "action") === "accept" && typeof member(response, "content") === "object"
    case "sampling/createMessage":
      return typeof member(response, "content") === "object"
    case "roots/list":
      return Array.isArray(member(response, "roots"))
  }
}

/** A tool that completes as soon as the client has answered all `inputRequests`, and sent back an unchanged state. */
const inputTool = (name: string, inputRequests: InputRequests, state?: string): Tool => ({
  name,
  handle: Effect.fnUntraced(function* () {
    const { inputResponses = {}, requestState } = yield* McpSchema.McpRequestContext
    const isComplete = Object.entries(inputRequests).every(([key, request]) => isAnswer(request, inputResponses[key]))
    if (!isComplete || (state !== undefined && requestState === undefined)) return required(inputRequests, state)
    const kept = requestState === undefined ? "" : `${yield* unseal(requestState)}-ok: `
    return result(text(kept + JSON.stringify(inputResponses)))
  })
})

const confirmation = { confirm: form("Please confirm", { ok: { type: "boolean" } }) }

const rounds: ReadonlyArray<InputRequests> = [
  { step1: form("Step 1: What is your name?", name) },
  { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }) }
]

const multiRound = Effect.fnUntraced(function* () {
  const { requestState } = yield* McpSchema.McpRequestContext
  const round = requestState === undefined ? 0 : Number(yield* unseal(requestState)) + 1
  const next = rounds[round]
  return next === undefined ? result(text("Done.")) : required(next, String(round))
})

export const inputTools: ReadonlyArray<Tool> = [
  {
    name: "test_sampling",
    inputSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    handle: (input) =>
      ask((client) =>
        client.createMessage({
          messages: [{ role: "user", content: text(String(member(input, "prompt"))) }],
          maxTokens: 100
        })
      )
  },
  {
    name: "test_elicitation",
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    handle: (input) =>
      askForm(String(member(input, "message")), { username: { type: "string" }, email: { type: "string" } })
  },
  { name: "test_elicitation_sep1034_defaults", handle: () => askForm("Please check.", defaults) },
  { name: "test_elicitation_sep1330_enums", handle: () => askForm("Please choose.", enums) },
  inputTool("test_input_required_result_elicitation", { user_name: form("What is your name?", name) }),
  inputTool("test_streaming_elicitation", { user_name: form("What is your name?", name) }),
  inputTool("test_input_required_result_sampling", { capital_question: sampling("What is the capital of France?") }),
  inputTool("test_missing_capability", { capital_question: sampling("What is the capital of France?") }),
  inputTool("test_input_required_result_list_roots", { client_roots: { method: "roots/list" } }),
  inputTool("test_input_required_result_request_state", confirmation, "state"),
  inputTool("test_input_required_result_tampered_state", confirmation, "state"),
  inputTool(
    "test_input_required_result_multiple_inputs",
    {
      user_name: form("What is your name?", name),
      greeting: sampling("Generate a greeting"),
      client_roots: { method: "roots/list" }
    },
    "state"
  ),
  { name: "test_input_required_result_multi_round", handle: multiRound },
  {
    name: "test_input_required_result_capabilities",
    handle: () =>
      Effect.map(McpSchema.McpRequestContext, ({ clientCapabilities: { elicitation, sampling: model } }) =>
        required({
          ...(elicitation === undefined ? {} : { user_name: form("What is your name?", name) }),
          ...(model === undefined ? {} : { greeting: sampling("Generate a greeting") })
        })
      )
  }
]
