/**
 * A tracer that removes secrets from spans. The program's own attributes contain no secrets, but spans of libraries
 * contain headers and URLs with queries, and error messages quote values.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"

/** Wraps a tracer, and removes secrets from the spans. */
export const make = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => redact(tracer.span(options)),
    ...(tracer.context === undefined ? {} : { context: tracer.context })
  })

const redact = (span: Tracer.Span): Tracer.Span => {
  const attribute = span.attribute.bind(span)
  const event = span.event.bind(span)
  const end = span.end.bind(span)
  return Object.assign(span, {
    attribute: (name: string, value: unknown) => {
      if (!isSecret(name)) attribute(name, scrub(value))
    },
    event: (name: string, time: bigint, attributes: Record<string, unknown> = {}) =>
      event(
        name,
        time,
        Object.fromEntries(
          Object.entries(attributes).flatMap(([name, value]) => (isSecret(name) ? [] : [[name, scrub(value)]]))
        )
      ),
    end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, outcome(exit))
  })
}

const isSecret = (name: string) => name === "url.query" || /^http\.(request|response)\.header\./.test(name)

/** Reduces a failure to the tag, because the message can quote a request or a response. */
const outcome = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const failure = Cause.squash(exit.cause)
  if (typeof failure === "string") return exit // a failure kind that the client set
  return Exit.fail(Predicate.hasProperty(failure, "_tag") ? String(failure._tag) : "a defect")
}

/** Removes access tokens, and the queries, fragments and user names of URLs, from texts. */
const scrub = (value: unknown): unknown =>
  typeof value !== "string"
    ? value
    : value
        .replace(/(\bhttps?:\/\/)[^\s/?#@]*@/g, "$1")
        .replace(/((?:https?:\/)?\/[^\s?#"']*)[?#][^\s"']*/g, "$1")
        .replace(/\b(bearer|basic|token)\s+\S+/gi, "$1 …")
        .replace(/\b(?:gh[a-z]|github_pat|tongs|v1)_[\w-]{8,}/g, "…")
