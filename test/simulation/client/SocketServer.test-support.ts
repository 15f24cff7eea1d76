import type * as Net from "node:net"
import * as Effect from "effect/Effect"

/** Listens on a free port until the scope closes, then calls `hangUp` to end open connections. Returns the URL. */
export const listen = Effect.fnUntraced(function* (server: Net.Server, hangUp: () => void) {
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        hangUp()
      })
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})
