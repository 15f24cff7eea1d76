import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runner } from "../CommandRunner.test-support.ts"
import * as Stub from "../ForgeStub.test-support.ts"

const withPage = (html_url: string, kind: "remote" | "embedded" = "remote") =>
  runner(() => ({ body: { ...Stub.repository(), html_url } }), { connection: { kind } })

describe("--web", () => {
  it.live("prints the URL of the page without a browser", () =>
    Effect.gen(function* () {
      const { BROWSER } = process.env
      process.env.BROWSER = "/nowhere/browser"
      const result = yield* withPage("https://forge.test/octo/hello")("repositories", "get", "--web")
      if (BROWSER === undefined) delete process.env.BROWSER
      else process.env.BROWSER = BROWSER
      assert.deepStrictEqual(result, { code: 0, stdout: "https://forge.test/octo/hello\n", stderr: "" })
    })
  )

  for (const url of ["file:///etc/passwd", "javascript:alert(1)", ""]) {
    it.live(`does not open ${JSON.stringify(url)}`, () =>
      Effect.map(withPage(url)("repositories", "get", "--web"), ({ code, stderr, stdout }) => {
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, /has no web page/)
      })
    )
  }

  it.live("fails before a request on the embedded forge, and is no flag of lists", () =>
    Effect.gen(function* () {
      const tongs = withPage("https://forge.test/octo/hello", "embedded")
      assert.match((yield* tongs("repositories", "get", "--web")).stderr, /tongs explore/)
      assert.strictEqual((yield* tongs("branches", "list", "--web")).code, 2)
    })
  )
})
