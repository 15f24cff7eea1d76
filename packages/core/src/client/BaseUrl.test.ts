import { assert, it } from "@effect/vitest"
import * as BaseUrl from "./BaseUrl.ts"

it("accepts a URL with or without a path, and removes trailing slashes", () => {
  assert.deepStrictEqual(
    ["https://forge.test", "http://forge.test:3000//", "https://Forge.test/api/v3/", "https://forge.test/a?#"].map(
      BaseUrl.parse
    ),
    ["https://forge.test", "http://forge.test:3000", "https://forge.test/api/v3", "https://forge.test/a"]
  )
})

for (const [wrong, problem] of [
  ["", "is not the URL of a forge"],
  ["forge.test/canary", "is not the URL of a forge"],
  ["mailto:canary@forge.test", "is not the URL of a forge"],
  ["https://canary:canary@forge.test", "contains a credential, which must be passed separately"],
  ["https://canary@forge.test", "contains a credential, which must be passed separately"],
  ["https://forge.test?token=canary", "has a query or a fragment"],
  ["https://forge.test/#canary", "has a query or a fragment"]
] as const) {
  it(`rejects ${JSON.stringify(wrong)} without quoting it`, () => {
    assert.throws(() => BaseUrl.parse(wrong), TypeError, `baseUrl ${problem}: pass one such as`)
    try {
      BaseUrl.parse(wrong)
    } catch (error) {
      assert.notInclude(String(error), "canary")
    }
  })
}
