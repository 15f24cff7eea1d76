import { assert, it } from "@effect/vitest"
import * as GitCredential from "./GitCredential.ts"

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

it("takes the token of a clone URL from the user name", () => {
  assert.strictEqual(GitCredential.normalize(basic("token:")), "Bearer token")
  assert.strictEqual(GitCredential.normalize(basic("token:x-oauth-basic")), "Bearer token")
  for (const header of [basic("ada:token"), basic("x-access-token:token"), basic(":"), basic("x"), "Bearer t", ""]) {
    assert.strictEqual(GitCredential.normalize(header), header)
  }
  assert.isUndefined(GitCredential.normalize(undefined))
})
