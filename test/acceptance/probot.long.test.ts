/** Apps of Probot, unmodified, act on a forge by its webhooks and with tokens of their installation. */
import { describe, expect, it } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { registerApp, runProbot, tlsProxy } from "./Probot.test-support.ts"
import { TIMEOUT } from "./TongsCommand.test-support.ts"
import { install, REPOSITORY, serveTools } from "./Tools.test-support.ts"

const [OWNER = ""] = REPOSITORY.split("/")

const [LEAKS, CREAKS, ROTS, SINKS] = [1, 2, 3, 4] as const // literal types

interface Comment {
  readonly body: string
  readonly user: { readonly login: string }
}

const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name).toSorted()

const stale = hasPrograms("openssl") ? install("probot") : undefined

describe.skipIf(stale === undefined)("npm, registry, openssl: stale", () => {
  it("marks and closes old issues, leaves exempt ones, and unmarks an issue after a comment", async () => {
    const folder = stale ?? ""
    const registration = await registerApp({
      slug: "stale",
      account: OWNER,
      permissions: { issues: "write", pull_requests: "write", contents: "read", metadata: "read" },
      events: ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment"]
    })
    const issue = (number: number, title: string, created_at: string, labels: ReadonlyArray<string> = []) => ({
      repository: REPOSITORY,
      user: "bea",
      number,
      title,
      labels,
      created_at
    })
    const issues = [
      issue(LEAKS, "It leaks", "2024-01-02T03:04:05Z"),
      issue(CREAKS, "It creaks", "2024-01-02T03:04:05Z"),
      issue(ROTS, "It rots", "2024-01-02T03:04:05Z", ["pinned"]),
      issue(SINKS, "It sinks", new Date().toISOString())
    ]
    const labels = [{ repository: REPOSITORY, name: "pinned", color: "ededed" }]
    const { push, root, send, url } = await serveTools(folder, { ...registration.rows, issues, labels }, [
      "--allow-local-webhooks"
    ])
    const config = `daysUntilStale: 30\ndaysUntilClose: 0.00001\nexemptLabels: [pinned]\nstaleLabel: stale
markComment: Nothing happened here.\ncloseComment: Still nothing.\nunmarkComment: Good.\n`
    push("main", { ".github/stale.yml": config }, "Close old issues")
    const proxy = await tlsProxy(root, url)
    const env = {
      GHE_HOST: proxy.host,
      NODE_EXTRA_CA_CERTS: proxy.cert,
      DISABLE_STATS: "true",
      DISABLE_DELAY: "true"
    }
    const start = () => runProbot(registration, { folder, app: "node_modules/probot-stale/index.js", home: root, env })
    const issueOf = async (number: number) => {
      const { labels, state } = await send("GET", `/issues/${number}`)
      const comments = await send("GET", `/issues/${number}/comments`)
      return [state, ...names(labels), ...comments.map(({ body, user }: Comment) => `${user.login}: ${body}`)]
    }
    const becomes = (number: number, state: ReadonlyArray<string>) =>
      expect.poll(() => issueOf(number), { timeout: TIMEOUT }).toEqual(state)

    const marked = ["open", "stale", "stale[bot]: Nothing happened here."]
    const first = await start()
    await becomes(LEAKS, marked)
    await becomes(CREAKS, marked)
    await send("POST", `/issues/${CREAKS}/comments`, { body: "It still does" })
    const unmarked = ["open", ...marked.slice(2), "ada: It still does", "stale[bot]: Good."]
    await becomes(CREAKS, unmarked)
    await first.stop()

    await start()
    await becomes(LEAKS, ["closed", ...marked.slice(1), "stale[bot]: Still nothing."])
    expect(await issueOf(CREAKS)).toEqual(unmarked)
    expect(await issueOf(ROTS)).toEqual(["open", "pinned"])
    expect(await issueOf(SINKS)).toEqual(["open"])
  })
})
