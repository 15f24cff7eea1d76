/** Parts of a screen with separate requests. A failed part shows the failure instead of the content. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { DocumentLine } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"

/** The result of loading a part. */
export type Part<A> = Result.Result<A, Failure>

/** Failures of one operation. After any other failure, such as a broken connection, the whole screen loads again. */
const ownFailures: ReadonlySet<Failure["_tag"]> = new Set([
  "Forbidden",
  "NotFound",
  "Gone",
  "Conflict",
  "Unsupported",
  "ValidationFailed",
  "UnexpectedResponse"
])

/** Loads a part. Fails only if the whole screen must load again. */
export const load = <A, R>(effect: Effect.Effect<A, Failure, R>): Effect.Effect<Part<A>, Failure, R> =>
  effect.pipe(
    Effect.map((value): Part<A> => Result.succeed(value)),
    Effect.catchIf(
      ({ _tag }) => ownFailures.has(_tag),
      (failure) => Effect.succeed(Result.fail(failure))
    )
  )

/** Returns the value of a part; undefined for a failed part. */
export const value = <A>(self: Part<A>): A | undefined => (Result.isSuccess(self) ? self.success : undefined)

/** Creates a part that has loaded. */
export const succeed = <A>(success: A): Part<A> => Result.succeed(success)

/** Returns the greatest age of the responses of parts, in milliseconds. */
export const age = (parts: ReadonlyArray<Part<unknown>>): number =>
  parts.reduce((most, part) => Math.max(most, ResponseAge.age(value(part))), 0)

/** Fails with the first failure if every part failed, so that the screen explains the failure. */
export const failIfAll = (parts: ReadonlyArray<Part<unknown>>): Effect.Effect<void, Failure> => {
  const failures = parts.flatMap((part) => (Result.isFailure(part) ? [part.failure] : []))
  const [first] = failures
  return first !== undefined && failures.length === parts.length ? Effect.fail(first) : Effect.void
}

/** Formats a part, or the failure of the part. */
export const lines = <A, L>(
  self: Part<A>,
  columns: number,
  render: (value: A) => ReadonlyArray<L>
): ReadonlyArray<L | DocumentLine> =>
  Result.isSuccess(self)
    ? render(self.success)
    : StyledLine.wrap(reason(self.failure), columns).map((text) => ({ line: StyledLine.line(text, "warning") }))

const reason = (failure: Failure): string => {
  switch (failure._tag) {
    case "Forbidden":
      return `Access denied: ${failure.message}`
    case "NotFound":
      return "Not available: it does not exist, or this credential may not see it"
    default:
      return failure.message
  }
}
