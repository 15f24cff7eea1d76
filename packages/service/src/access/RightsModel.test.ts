/** Compares random situations and changes with an independent model. `TONGS_RIGHTS_SEEDS=7` or `=1-50` runs some. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../main/Forge.test-support.ts"
import * as Rights from "./RightsForge.test-support.ts"
import * as Model from "./RightsModel.test-support.ts"
import { randomChange } from "./RightsTeamChanges.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const [first = 1, last = first] = process.env["TONGS_RIGHTS_SEEDS"]?.split("-").map(Number) ?? [1, isLong ? 200 : 2]
const CHANGES = 6
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Makes random changes of a situation and compares after each. */
const run = Effect.fnUntraced(function* (seed: number) {
  const { ask } = yield* Support.TestForge
  const random = Model.randomOf(seed)
  const situation = yield* Rights.prepare(seed, random)
  yield* Rights.indexed(seed, situation)
  const { compare, requests } = yield* Rights.comparison(seed, situation)
  const history: Array<string> = []
  const report = (problems: ReadonlyArray<string>) =>
    `seed ${seed}, after\n${history.join("\n")}\n${problems.join("\n")}`
  const check = Effect.fnUntraced(function* (problems: ReadonlyArray<string>) {
    assert.lengthOf(problems, 0, report(problems))
  })
  yield* check(yield* compare(random, 3))
  for (let serial = 0; serial < CHANGES; serial++) {
    const change = randomChange(situation, random, serial)
    if (change === undefined) break
    const { about, apply, body, by, method, path, refused, status } = change
    const other = random.chance(0.3) ? random.one(refused) : undefined
    const request = body === undefined ? {} : { body }
    const answer = yield* ask(method, path, { token: Rights.tokenOf(other ?? by), ...request })
    history.push(`${(other ?? by).login} ${method} ${path} ${JSON.stringify(body)}: ${answer.status}`)
    if (other === undefined) {
      assert.strictEqual(answer.status, status, report([answer.text]))
      apply(answer.json)
    } else {
      const isHidden = about !== undefined && Model.roleOf(situation, other, about) === "none"
      assert.include(isHidden ? [404] : [403, 404], answer.status, report([answer.text]))
    }
    yield* check(yield* compare(random, 1))
  }
  return requests()
})

layer(
  Support.layer((repos) => void Support.repository(repos, "hello")),
  { timeout: 60_000 }
)("rights", (it) => {
  for (const seed of seeds) {
    it.effect(`are those of the model with seed ${seed}`, () => run(seed))
  }
})
