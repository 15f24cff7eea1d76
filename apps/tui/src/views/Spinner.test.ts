import { assert, describe, it } from "@effect/vitest"
import * as StyledLine from "../text/StyledLine.ts"
import * as Spinner from "./Spinner.ts"

const drawn = (time: number) => StyledLine.text(Spinner.draw([StyledLine.span("Loading"), StyledLine.spinner], time))

describe("Spinner", () => {
  it("shows nothing for a quick response, then a sign, then the time too", () => {
    assert.strictEqual(drawn(100).trim(), "Loading")
    assert.match(drawn(200), /^Loading {2}[⠀-⣿] +$/)
    assert.match(drawn(1_250), /^Loading {2}[⠀-⣿] 1\.3 s *$/)
  })

  it("changes no sooner than it must", () => {
    assert.strictEqual(Spinner.untilChange(100), 50)
    assert.notStrictEqual(drawn(200), drawn(200 + Spinner.untilChange(200)))
  })
})
