/** An engine whose calls first load the part of the contract that the call needs. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LazyPages from "../paging/LazyPages.ts"
import type { Pages } from "../paging/Pages.ts"
import type { Engine } from "./Engine.ts"
import type { LoadableContract } from "./EndpointDescription.ts"

type Load = () => Promise<void> | undefined

const call = <A, E>(load: Load, make: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const loading = load()
    return loading === undefined
      ? make()
      : Effect.flatMap(
          Effect.promise(() => loading),
          make
        )
  })

const stream = <A, E>(load: Load, make: () => Stream.Stream<A, E>): Stream.Stream<A, E> =>
  load() === undefined ? make() : Stream.unwrap(call(load, () => Effect.sync(make)))

const list = <A, E>(load: Load, make: () => Pages<A, E>): Pages<A, E> => {
  if (load() === undefined) return make()
  let made: Pages<A, E> | undefined
  const pages = () => (made ??= make())
  return LazyPages.make(
    call(load, () => pages().first),
    () => ({ items: stream(load, () => pages().items), pages: stream(load, () => pages().pages) })
  )
}

/**
 * Returns an engine that loads the group of an endpoint before the call of `engine`, and the routes before raw
 * requests.
 */
export const make = (engine: Engine<string>, { loadGroup, loadRoutes }: LoadableContract): Engine<string> => {
  const groupOf = (id: string) => () => loadGroup(id.slice(0, id.indexOf(".")))
  return {
    ...engine,
    call: (id, ...rest) => call(groupOf(id), () => engine.call(id, ...rest)),
    list: (id, ...rest) => list(groupOf(id), () => engine.list(id, ...rest)),
    stream: (id, ...rest) => stream(groupOf(id), () => engine.stream(id, ...rest)),
    request: (...args) => call(loadRoutes, () => engine.request(...args)),
    paginate: (...args) => list(loadRoutes, () => engine.paginate(...args)),
    download: (...args) => stream(loadRoutes, () => engine.download(...args))
  }
}
