import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import { ProjectView } from "@tongs/core/contract/groups/ProjectViews"
import { Forge } from "@tongs/core/client/Forge"
import * as McpSchema from "effect/ai/McpSchema"
import { entryOf } from "../call/Tool.ts"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as Support from "../writes/Writes.test-support.ts"
import * as OperationRead from "./OperationRead.ts"
import * as OperationWrite from "./OperationWrite.ts"

it.effect("names the id of a created view, also if the forge wraps the view", () =>
  Effect.gen(function* () {
    const view = { ...Object(Samples.of(ProjectView)), id: 4711 }
    for (const body of [view, { value: view }]) {
      const { forge } = yield* Support.recordingForge(() => Response.json(body, { status: 201 }))
      const answer = yield* OperationWrite.run(
        entryOf("projectViews.createForOrg"),
        { org: "octo", project_number: 1, name: "Board", layout: "board" },
        Support.call,
        { tool: "change", callOf: () => "" }
      ).pipe(
        Effect.provideService(Forge, forge),
        Effect.provideService(WriteGuard, Support.guard(forge, { confirm: "never" })),
        Effect.provideService(McpSchema.McpRequestContext, Support.request())
      )
      assert.notProperty(answer, "_tag")
      if (!("_tag" in answer)) assert.match(answer.items[0]?.text ?? "", /^id: 4711\nnumber: /)
    }
  })
)

it.effect("names the items of a list by what they are", () =>
  Effect.gen(function* () {
    const { forge } = yield* Support.recordingForge(({ path }) =>
      Response.json(path.startsWith("/installation/") ? { total_count: 0, repositories: [] } : [])
    )
    for (const [id, noun] of [
      ["installations.listReposAccessibleToInstallation", "repositories"],
      ["repositories.listForAuthenticatedUser", "repositories"],
      ["pulls.list", "pull requests"],
      ["pulls.listFiles", "files"],
      ["checkRuns.listAnnotations", "annotations"]
    ] as const) {
      const input = { owner: "octo", repo: "hello", pull_number: 1, check_run_id: 1 }
      const answer = yield* OperationRead.run(entryOf(id), input, Support.call, {}).pipe(
        Effect.provideService(Forge, forge)
      )
      assert.propertyVal(answer, "noun", noun)
    }
  })
)
