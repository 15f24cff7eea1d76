/** Checks JSON-RPC messages, because the MCP server ignores invalid messages or fails. */

/** The response to an invalid message. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0"
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** Creates the response to an invalid message. */
export const errorResponse = (code: number, message: string, id: ErrorResponse["id"] = null): ErrorResponse => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

/** Returns the response to a message that is not JSON-RPC, or undefined for a valid message. Batches are refused. */
export const check = (message: unknown): ErrorResponse | undefined => {
  if (Array.isArray(message)) return invalid("Batches are not supported: send each message alone.")
  if (!isObject(message)) return invalid("A message must be an object.")
  const id = isId(message["id"]) ? message["id"] : null
  if (message["jsonrpc"] !== "2.0") return invalid('"jsonrpc" must be "2.0".', id)
  if ("method" in message) {
    if (typeof message["method"] !== "string") return invalid('"method" must be a string.', id)
    if ("id" in message && id === null) return invalid('"id" must be a string or a number.')
    return isNameTooLong(message) ? invalid(`A name can have at most ${MAX_NAME} characters.`, id) : undefined
  }
  return "result" in message || "error" in message ? undefined : invalid('A message must have a "method".', id)
}

/** Maximum number of characters of a method, or of the name or URI in the parameters, which errors repeat. */
const MAX_NAME = 8_000

const isNameTooLong = ({ method, params }: Readonly<Record<string, unknown>>): boolean => {
  const { name, uri } = isObject(params) ? params : {}
  return [method, name, uri].some((value) => typeof value === "string" && value.length > MAX_NAME)
}

const invalid = (reason: string, id?: string | number | null) => errorResponse(-32600, `Invalid request: ${reason}`, id)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

/** Returns true for a message that expects a response. */
export const isRequest = (value: unknown): value is { readonly id: string | number } =>
  isObject(value) && "method" in value && isId(value["id"])
