import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as KeySequences from "./KeySequences.ts"

/** Presses keys in a file, and records the commands that run. */
const start = Effect.fnUntraced(function* () {
  const services = Context.add(yield* Layer.build(FakeForge.layer()), Clock.Clock, yield* Clock.Clock)
  const commands: Array<string> = []
  const sequences = KeySequences.make({
    keys: KeyBindings.make(),
    services,
    where: () => "file",
    run: (command) => commands.push(command),
    press: (key) => sequences.press(key)
  })
  return { commands, press: sequences.press }
})

it.effect("runs the command of a first key after 600 ms without a second one", () =>
  Effect.gen(function* () {
    const { commands, press } = yield* start()
    press("g")
    yield* TestClock.adjust("599 millis")
    assert.deepStrictEqual(commands, [])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(commands, ["top"])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(commands, ["top"])
  }).pipe(Effect.scoped)
)

it.effect("runs a sequence at once, and does not wait after the sequence", () =>
  Effect.gen(function* () {
    const { commands, press } = yield* start()
    press("g")
    yield* TestClock.adjust("599 millis")
    press("d")
    assert.deepStrictEqual(commands, ["definition"])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(commands, ["definition"])
  }).pipe(Effect.scoped)
)

it.effect("runs both commands of two keys that are no sequence, and none after Esc", () =>
  Effect.gen(function* () {
    const { commands, press } = yield* start()
    press("g")
    press("j")
    assert.deepStrictEqual(commands, ["top", "down"])
    press("g")
    press("escape")
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(commands, ["top", "down"])
  }).pipe(Effect.scoped)
)
