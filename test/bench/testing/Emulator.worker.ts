/** Measures `emulate`. */
import { print } from "./Measurement.ts"

const login = "octo"
const token = "bench"

await print(async () => {
  const { createEmulator } = await import("emulate")
  return async () => {
    const emulator = await createEmulator({
      service: "github",
      port: 0,
      seed: { tokens: { [token]: { login, scopes: ["repo", "user"] } }, github: { users: [{ login }] } }
    })
    return { url: emulator.url, token, reset: () => emulator.reset(), close: () => emulator.close() }
  }
})
