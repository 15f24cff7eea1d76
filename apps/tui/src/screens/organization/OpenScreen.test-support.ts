/** Opens a screen on a fake forge in tests, without the model. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import type { Content } from "../../content/Content.ts"
import type * as Route from "../../content/Route.ts"
import type { LoadState } from "../../content/Source.ts"
import * as FakeForge from "../../FakeForge.test-support.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Registry from "../Registry.ts"

/** Time of the ages in the lines: 2026-11-22. */
export const now = Date.parse("2026-11-22T12:00:00Z")

/** Loads the screen of a route. Responses that `bodies` lacks are 404; a number is a status. */
export const open = Effect.fnUntraced(function* (
  screen: string,
  values: Route.Arguments,
  bodies: Readonly<Record<string, unknown>>,
  onRequest: (path: string) => void = () => {}
) {
  const services = yield* Layer.build(
    FakeForge.layer({
      onRequest,
      respond: (path) => {
        const body = bodies[path]
        if (body === undefined) return { status: 404, body: { message: "Not Found" } }
        return typeof body === "number"
          ? { status: body, body: { message: "No \u001b[31maccess" } }
          : { status: 200, body }
      }
    })
  )
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const source = Registry.find(screen)?.open({ registry, services }, values)
  if (source === undefined) return yield* Effect.die(`No screen ${screen}`)
  yield* Effect.addFinalizer(() => Effect.sync(source.dispose))
  return yield* Effect.callback<LoadState>((resume) => {
    const cancel = registry.subscribe(source.state, (state) => {
      const isLoaded = state.content !== undefined && !state.isLoading
      if (isLoaded || state.failure !== undefined || state.defect !== undefined) resume(Effect.succeed(state))
    })
    source.start()
    return Effect.sync(cancel)
  })
})

/** Returns the lines of content as text. */
export const linesOf = (content: Content | undefined, columns = 80): ReadonlyArray<string> => {
  switch (content?._tag) {
    case undefined:
      return []
    case "Notice":
      return [content.title, content.hint]
    case "Table":
      return Array.from({ length: content.rows.count }, (_, index) =>
        (content.rows.at(index)?.cells(now) ?? []).map(StyledLine.text).join(" | ")
      )
    case "Document": {
      const layout = content.layout(columns)
      return Array.from({ length: layout.length }, (_, index) =>
        StyledLine.text(layout.lineAt(index, now).line).trimEnd()
      )
    }
  }
}

/** Returns the routes of a document's lines by text. */
export const routesOf = (content: Content | undefined, columns = 80): ReadonlyMap<string, Route.Route> => {
  if (content?._tag !== "Document") return new Map()
  const layout = content.layout(columns)
  return new Map(
    Array.from({ length: layout.length }, (_, index) => layout.lineAt(index, now)).flatMap(
      ({ line, route }) => (route === undefined ? [] : [[StyledLine.text(line).trim(), route] as const]) // a pair
    )
  )
}
