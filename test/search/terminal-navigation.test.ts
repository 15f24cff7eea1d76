/** The keys for definitions and uses in the terminal UI lead where the service's own cases say. */
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import { Connection } from "@tongs/connection/Connection"
import * as ConnectionLayer from "@tongs/connection/ConnectionLayer"
import { Forge } from "@tongs/core/client/Forge"
import * as Cases from "@tongs/service/features/codeNavigation/NavigationCases.test-support"
import { folder } from "@tongs/service/git/Fixture.test-support"
import { repository } from "@tongs/service/main/Forge.test-support"
import * as Route from "../../apps/tui/src/content/Route.ts"
import * as Model from "../../apps/tui/src/model/Model.ts"
import type { Services } from "../../apps/tui/src/RunningModel.ts"
import * as StyledLine from "../../apps/tui/src/text/StyledLine.ts"

class Demo extends Context.Service<Demo, { readonly services: Context.Context<Services>; readonly owner: string }>()(
  "@tongs/test/search/terminal-navigation/Demo"
) {}

/** An embedded forge with the repository of the cases, whose index is ready. */
const demo = Layer.effect(
  Demo,
  Effect.gen(function* () {
    const root = yield* folder
    const cwd = repository(root, "demo", Cases.files)
    const services = yield* Layer.build(
      Layer.fresh(ConnectionLayer.layer({ cwd, data: join(root, "data"), limitsStore: "memory" }))
    )
    const { codeNavigation } = Context.get(services, Forge)
    const owner = Context.get(services, Connection).repository?.owner ?? ""
    // The first answers can be incomplete: the index is not ready yet, and the threads of the search start.
    const at = { owner, repo: "demo", ...Cases.positionOf("web/src/app.ts", "  return paint(", "paint") }
    while ((yield* codeNavigation.listReferences({ owner, repo: "demo", name: "draw" }).first).incompleteResults)
      yield* Effect.sleep("50 millis")
    while ((yield* codeNavigation.listDefinitions({ ...at, name: "paint" }).first).incompleteResults)
      yield* Effect.sleep("50 millis")
    return Demo.of({ services, owner })
  })
)

type Position = ReturnType<typeof Cases.positionOf>

/** Opens a file at a name, presses keys, and returns the place that the screen then shows, and the lines. */
const press = Effect.fnUntraced(function* ({ column, line, path }: Position, name: string, ...keys: Array<string>) {
  const { owner, services } = yield* Demo
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const at = { owner, repo: "demo" }
  const file = Route.make("contents.get", { ...at, path, line, column })
  const model = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Model.make({
        registry,
        services,
        session: {
          routes: [Route.make("commits.list", at), file],
          split: 0.5,
          isPaneShown: false,
          endedAt: Date.now()
        },
        onExit: () => {},
        copy: () => {},
        browse: () => {}
      })
    ),
    (model) => Effect.sync(model.dispose)
  )
  model.resize(140, 60)
  registry.mount(model.view)
  const isSelected = ({ background, text }: StyledLine.Span) => background === "name" && text === name
  yield* until(() => registry.get(model.view).lines.some((spans) => spans.some(isSelected)), `${name} in ${path}`)
  for (const key of keys) model.press(key)
  const shown = () => model.session().routes.at(-1) ?? file
  yield* until(() => Route.id(shown()) !== Route.id(file), `a screen after ${keys.join("")} on ${name} in ${path}`)
  const lines = () => registry.get(model.view).lines.map((spans) => StyledLine.text(spans))
  return { route: shown(), lines }
})

const until = Effect.fnUntraced(function* (condition: () => boolean, what: string) {
  for (let attempt = 0; !condition(); attempt++) {
    if (attempt > 4_000) return yield* Effect.die(`waited in vain for ${what}`)
    yield* Effect.sleep("5 millis")
  }
})

layer(demo, { excludeTestServices: true, timeout: 120_000 })("navigation in the terminal UI", (it) => {
  it.effect(
    "goes from each use to the definition, or offers it first",
    () =>
      Effect.gen(function* () {
        for (const [path, start, name, expected] of Cases.uses)
          yield* Effect.gen(function* () {
            const position = Cases.positionOf(path, start, name)
            const { lines, route } = yield* press(position, name, "g", "d")
            const { arguments: at, screen } = route
            if (screen === "contents.get")
              return assert.strictEqual(`${String(at.path)}:${String(at.line)}`, expected, `${name} in ${path}`)
            // The name in its definition leads to the uses.
            const isDefinition = `${path}:${position.line}` === expected
            const list = isDefinition ? "codeNavigation.listReferences" : "codeNavigation.listDefinitions"
            assert.strictEqual(screen, list, `${name} in ${path}`)
            if (isDefinition) return
            yield* until(() => lines().some((line) => line.startsWith("❯") && line.includes(expected)), expected)
          }).pipe(Effect.scoped)
      }),
    120_000
  )

  it.effect(
    "lists all uses of each definition, and no others",
    () =>
      Effect.gen(function* () {
        for (const [path, start, name, all] of Cases.definitions)
          yield* Effect.gen(function* () {
            // This forge has only the repository of the definitions.
            const expected = all.filter((place) => !place.startsWith("client "))
            const { lines, route } = yield* press(Cases.positionOf(path, start, name), name, "g", "r")
            assert.strictEqual(route.screen, "codeNavigation.listReferences")
            yield* until(() => lines().some((line) => line.includes(`/${expected.length} use`)), `uses of ${name}`)
            const places = lines().flatMap((line) => /^[❯ ] (\S+:\d+) /.exec(line)?.[1] ?? [])
            assert.deepStrictEqual(places.toSorted(), expected.toSorted(), `${name} in ${path}`)
          }).pipe(Effect.scoped)
      }),
    120_000
  )
})
