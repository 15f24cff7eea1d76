/** Measures `emulate`. */
import { print } from "./Measurement.ts"

const LOGIN = "octo"
const TOKEN = "bench"

await print(async () => {
  const { createEmulator } = await import("emulate")
  return async () => {
    const emulator = await createEmulator({
      service: "github",
      port: 0,
      seed: { tokens: { [TOKEN]: { login: LOGIN, scopes: ["repo", "user"] } }, github: { users: [{ login: LOGIN }] } }
    })
    return { url: emulator.url, token: TOKEN, reset: () => emulator.reset(), close: () => emulator.close() }
  }
})
