import { assert, describe, it } from "@effect/vitest"
import * as Theme from "./Theme.ts"

const STEPS = [0, 95, 135, 175, 215, 255]

/** Red, green and blue of a colour of the 256, from its cube or its greys. */
const rgb = (color: number) =>
  color >= 232
    ? [0, 1, 2].map(() => 8 + 10 * (color - 232))
    : [36, 6, 1].map((weight) => STEPS[Math.floor((color - 16) / weight) % 6] ?? 0)

/** Relative luminance, as WCAG defines it. */
const luminance = (color: number) => {
  const [red = 0, green = 0, blue = 0] = rgb(color).map((value) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe("Theme", () => {
  it("reads on black and on white", () => {
    for (const [role, { color }] of Object.entries(Theme.colored)) {
      if (color === undefined) continue
      const light = luminance(Number(/\d+(?=\)$)/.exec(color)?.[0]))
      assert.isAtLeast((light + 0.05) / 0.05, 3.8, `${role} on black`)
      assert.isAtLeast(1.05 / (light + 0.05), 3.8, `${role} on white`)
    }
  })

  it("has no colour at all without colours", () => {
    assert.isTrue(Object.values(Theme.plain).every(({ color }) => color === undefined))
  })
})
