/** Measures `@tongs/testing`. */
import { print } from "./Measurement.ts"

await print(async () => {
  const { startForge } = await import("@tongs/testing")
  return async () => {
    const { close, owner, reset, restore, snapshot, url } = await startForge()
    return {
      url,
      token: owner.token,
      reset,
      close,
      snapshot: async () => {
        const state = await snapshot()
        return () => restore(state)
      }
    }
  }
})
