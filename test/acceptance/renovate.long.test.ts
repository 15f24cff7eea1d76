/** Renovate, unmodified, works from the onboarding to the merge of updates on a forge. */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { request } from "./ForgeProcess.test-support.ts"
import { compareForges } from "./ProgramForges.test-support.ts"
import { cloneForTools, fixtures, install, renovate, REPOSITORY, TOKEN, versions } from "./Tools.test-support.ts"

const installed = install(renovate) ?? ""

/** The repository whose tags are the versions of the dependency. */
const DEPENDENCY = "quay/hull"

const world = { ...fixtures, repositories: [...fixtures.repositories, { full_name: DEPENDENCY }] }

/** The configuration that Renovate proposes, for a forge at a URL. */
const configurationFor = (url: string) => ({
  extends: ["config:recommended"],
  labels: ["dependencies"],
  automerge: true,
  platformAutomerge: false,
  customManagers: [
    {
      customType: "regex",
      managerFilePatterns: ["/^hull\\.txt$/"],
      matchStrings: ["hull: (?<currentValue>\\S+)"],
      depNameTemplate: DEPENDENCY,
      datasourceTemplate: "github-tags",
      registryUrlTemplate: url
    }
  ]
})

describe.skipIf(installed === "")("npm, registry: Renovate", { timeout: 1_200_000 }, () => {
  it("proposes its configuration and updates, and merges them after a green status", () =>
    compareForges(
      {
        program: "renovate",
        version: versions["renovate"] ?? "",
        intercept: true,
        scenario:
          "onboarding, the dashboard, an update, and the merge after a green status, by Renovate and by auto-merge"
      },
      world,
      async (forge) => {
        const { api, merge, pages, pull, push, run, send, url } = await cloneForTools(installed, forge)
        const update = () =>
          run("renovate/dist/renovate.js", [REPOSITORY], {
            RENOVATE_PLATFORM: "github",
            RENOVATE_ENDPOINT: `${api}/`,
            RENOVATE_TOKEN: TOKEN,
            // An empty cache, as on another day: Renovate asks for versions once in a quarter of an hour.
            RENOVATE_BASE_DIR: mkdtempSync(join(forge.root, "renovate-")),
            RENOVATE_GIT_AUTHOR: "Ada Quay <test@example.org>",
            // Otherwise versions on GitHub-style forges need a token for github.com.
            RENOVATE_GITHUB_TOKEN_WARN: "false",
            RENOVATE_ONBOARDING_CONFIG: JSON.stringify(configurationFor(pages)),
            LOG_LEVEL: "warn"
          })
        /** Creates a version of the dependency. */
        const tag = async (name: string) => {
          const put = async (method: string, path: string, body: object) => {
            const address = `/api/v3/repos/${DEPENDENCY}${path}`
            const { json, status } = await request({ url, token: TOKEN }, method, address, body)
            expect(status).toBe(201)
            return json
          }
          const content = Buffer.from(name).toString("base64")
          const { commit } = await put("PUT", `/contents/${name}.txt`, { message: name, content })
          await put("POST", "/git/refs", { ref: `refs/tags/${name}`, sha: commit.sha })
        }
        const only = async () => {
          const [first, ...more] = await send("GET", "/pulls")
          expect(more).toEqual([])
          return first
        }
        const succeed = (sha: string) => send("POST", `/statuses/${sha}`, { state: "success", context: "ci" })
        const version = async () => Buffer.from((await send("GET", "/contents/hull.txt")).content, "base64").toString()

        await tag("v1.0.0")
        await push("main", { "hull.txt": "hull: v1.0.0\n" }, "feat: add a hull")
        await update()
        const onboarding = await only()
        expect([onboarding.title, onboarding.head.ref]).toEqual(["chore: Configure Renovate", "renovate/configure"])
        await merge(onboarding.number)
        expect(
          JSON.parse(Buffer.from((await send("GET", "/contents/renovate.json")).content, "base64").toString())
        ).toMatchObject(configurationFor(pages))

        await tag("v1.1.0")
        await update()
        const proposed = await only()
        expect(proposed).toMatchObject({
          title: "chore(deps): update dependency quay/hull to v1.1.0",
          head: { ref: "renovate/quay-hull-1.x" },
          labels: [{ name: "dependencies" }]
        })
        expect(await send("GET", `/pulls/${proposed.number}/files`)).toMatchObject([
          { filename: "hull.txt", changes: 2 }
        ])
        await update()
        expect((await only()).head.sha).toBe(proposed.head.sha)
        await succeed(proposed.head.sha)
        await update()
        expect(await only()).toBeUndefined()
        expect(await send("GET", `/pulls/${proposed.number}`)).toMatchObject({
          merged: true,
          merged_by: { login: "ada" }
        })
        expect(await version()).toBe("hull: v1.1.0\n")
        const dashboards = await send("GET", "/issues?state=all&creator=ada")
        expect(
          dashboards.filter(({ title }: { readonly title: string }) => title === "Dependency Dashboard")
        ).toMatchObject([{ state: "open" }])

        await pull()
        await push(
          "main",
          { "renovate.json": JSON.stringify({ ...configurationFor(pages), platformAutomerge: true }) },
          "chore: let the forge merge"
        )
        await send("PATCH", "", { allow_auto_merge: true })
        await send("PUT", "/branches/main/protection", {
          required_status_checks: { strict: false, contexts: ["ci"] },
          enforce_admins: true,
          required_pull_request_reviews: null,
          restrictions: null
        })
        await tag("v1.2.0")
        await update()
        const waiting = await only()
        expect(await send("GET", `/pulls/${waiting.number}`)).toMatchObject({
          merged: false,
          auto_merge: { enabled_by: { login: "ada" } }
        })
        await succeed(waiting.head.sha)
        const isMerged = async () => (await send("GET", `/pulls/${waiting.number}`)).merged
        await expect.poll(isMerged, { timeout: 30_000 }).toBe(true)
        expect(await version()).toBe("hull: v1.2.0\n")
      }
    ))
})
