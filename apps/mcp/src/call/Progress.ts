/** Progress notifications to the client of a call. */
import * as Effect from "effect/Effect"
import type * as McpSchema from "effect/ai/McpSchema"
import { sanitizeText } from "../text/SafeText.ts"
import type { Call } from "./Call.ts"

/** Sends a progress notification. */
export type Notify = (payload: {
  readonly progressToken: string | number
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}) => Effect.Effect<unknown, unknown>

/** Returns a function that reports progress, if the client asked for it with a progress token. */
export const reporter =
  ({ requestMetadata }: McpSchema.McpRequestContext["Service"], notify: Notify): Call["reportProgress"] =>
  (progress, total, message) => {
    const token: unknown =
      requestMetadata !== undefined && "progressToken" in requestMetadata ? requestMetadata["progressToken"] : undefined
    return typeof token === "string" || typeof token === "number"
      ? Effect.ignore(
          notify({
            progressToken: token,
            progress,
            message: sanitizeText(message),
            ...(total === undefined ? {} : { total })
          })
        )
      : Effect.void
  }
