import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as PushReport from "./PushReport.ts"

const packet = (payload: string | Buffer) => {
  const bytes = Buffer.from(payload)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes])
}
const band = (number: number, payload: Buffer | string) =>
  packet(Buffer.concat([Buffer.from([number]), Buffer.from(payload)]))

const report = Buffer.concat([
  packet("unpack ok\n"),
  packet("ok refs/heads/a\n"),
  packet("ng refs/heads/b failed to update ref\n"),
  packet("option refname refs/heads/c\n"),
  Buffer.from("0000")
])

const results = (chunks: ReadonlyArray<Buffer>) => {
  const { read, results } = PushReport.makeReader()
  for (const chunk of chunks) read(chunk)
  return [...results]
}

const expected: ReadonlyArray<readonly [string, boolean]> = [
  ["refs/heads/a", true],
  ["refs/heads/b", false]
]

describe("the report of receive-pack", () => {
  it("is read without side bands", () => {
    assert.deepStrictEqual(results([report]), expected)
  })

  it("is read from side band 1, split anywhere", () => {
    const whole = Buffer.concat([
      band(2, "ok refs/heads/progress\n"),
      band(1, report.subarray(0, 20)),
      Buffer.from("0005\u0001"),
      band(1, report.subarray(20)),
      Buffer.from("0000")
    ])
    assert.deepStrictEqual(results([whole]), expected)
    assert.deepStrictEqual(
      results(Array.from({ length: whole.length }, (_, at) => whole.subarray(at, at + 1))),
      expected
    )
  })

  it("ends at malformed input", () => {
    assert.deepStrictEqual(results([Buffer.from("hello world, no packet"), report]), [])
    assert.deepStrictEqual(results([Buffer.from("fff9"), report]), [])
  })

  it.effect("of a stopped push gives the reason, in the side band of clients that have one", () =>
    Effect.gen(function* () {
      const failure = Effect.fnUntraced(function* (capabilities: string) {
        const request = Buffer.concat([packet(`0 1 refs/heads/side-band\0${capabilities}`), Buffer.from("0000PACK")])
        const { first, input } = PushReport.readFirstPacket(
          Stream.make(request.subarray(0, 7), request.subarray(7, 50), request.subarray(50))
        )
        assert.deepStrictEqual(Buffer.concat(yield* Stream.runCollect(input)), request)
        return Buffer.from(PushReport.failure(first(), "too slow"))
      })
      const report = Buffer.concat([packet("unpack too slow\n"), Buffer.from("0000")])
      assert.deepStrictEqual(yield* failure("report-status agent=git/2"), report)
      const banded = Buffer.concat([band(1, report), Buffer.from("0000")])
      assert.deepStrictEqual(yield* failure(" report-status side-band-64k agent=git/2"), banded)
    })
  )
})
