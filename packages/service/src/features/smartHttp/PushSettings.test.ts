import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, git, workTree } from "../../git/Fixture.test-support.ts"
import * as PushSettings from "./PushSettings.ts"

it.effect("refuses pushes to the references of pull requests", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const remote = yield* folder
    git(remote, ["init", "--quiet", "--bare"])
    const options = PushSettings.settings("/dev/null").map((setting) => `-c ${setting}`)
    const receive = `--receive-pack=git ${options.join(" ")} receive-pack`
    git(path, ["push", "--quiet", receive, remote, "HEAD:refs/heads/main"])
    const push = () => git(path, ["push", "--quiet", receive, remote, "HEAD:refs/pull/1/head"])
    assert.throws(push, /deny updating a hidden ref/)
  }).pipe(Effect.scoped)
)
