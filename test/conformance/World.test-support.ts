/** A forge in which every operation of the contract has something to show, in the `github` dialect. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Forge from "@tongs/service/Forge.test-support"
import * as Fixtures from "@tongs/service/fixtures/Fixtures"
import { git, commit } from "@tongs/service/git/Fixture.test-support"
import * as Receiver from "@tongs/service/webhooks/Receiver.test-support"

/** What only git or the clock knows, by the name that a path or a body has for it: `{commit}`. */
export class World extends Context.Service<World, { readonly names: Readonly<Record<string, string>> }>()(
  "@tongs/test/World"
) {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const { ask, get, repos } = yield* Forge.TestForge
      const receiver = yield* Receiver.make()
      const path = repository(repos)
      const rev = (name: string) => git(path, ["rev-parse", name])
      const names = {
        "{commit}": rev("main"),
        "{parent}": rev("main~1"),
        "{tree}": rev("main^{tree}"),
        "{blob}": rev("main:README.md"),
        "{tag}": rev("v1"),
        "{receiver}": receiver.url,
        "{today}": new Date().toISOString().slice(0, 10),
        "{year}": new Date().toISOString().slice(0, 4)
      }
      writeFileSync(join(repos, "..", "report.txt"), "all is well\n")
      const file = join(repos, "..", "world.json")
      writeFileSync(file, fill(readFileSync(new URL("world.json", import.meta.url), "utf8"), names))
      yield* Fixtures.load(file)
      // Deliveries to look at, one of each hook.
      for (const hook of ["/repos/harbor/hello/hooks/1", "/orgs/harbor/hooks/2"]) {
        yield* ask("POST", `${hook}/pings`)
        yield* receiver.next
        yield* get(`${hook}/deliveries`).pipe(
          Effect.repeat({ until: ({ json }) => json[0]?.status_code === 200, schedule: Schedule.spaced("20 millis") })
        )
      }
      return World.of({ names })
    })
  ).pipe(
    Layer.provideMerge(
      // What lies there at the start would be the owner's.
      Forge.layer((repos) => mkdirSync(repos), { dialect: "github", allowLocalWebhooks: true })
    )
  )
}

/** Puts in what names stand for. */
export const fill = (text: string, names: Readonly<Record<string, string>>) =>
  text.replace(/\{\w+\}/g, (name) => names[name] ?? name)

/** A repository with everything that git has: folders, links, a merge, branches, both kinds of tags. */
const repository = (repos: string) => {
  const path = Forge.repository(repos, "hello", {
    "README.md": "# Hello\n\nships\n",
    "src/greet.ts": "export const greet = 'ahoy'\n"
  })
  git(path, ["branch", "side"])
  symlinkSync("README.md", join(path, "link"))
  git(path, ["add", "link"])
  git(path, ["commit", "--quiet", "-m", "Link"])
  mkdirSync(join(path, "docs"))
  commit(path, { "docs/manual.md": "Ahoy, 世界\n" }, "Write a manual")
  git(path, ["reset", "--quiet", "--hard"])
  git(path, ["tag", "-a", "-m", "The first season", "v1"])
  git(path, ["tag", "light"])
  return path
}
