import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Event } from "@tongs/core/contract/groups/Events"
import * as StyledLine from "../../text/StyledLine.ts"
import * as EventDocument from "./EventDocument.ts"
import * as EventLinks from "./EventLinks.ts"
import * as EventText from "./EventText.ts"

const sha = "a".repeat(40)

const event = (type: string | null, payload: Readonly<Record<string, unknown>>) =>
  Schema.decodeUnknownSync(Event)({
    id: "1",
    type,
    actor: { id: 1, login: "mona", gravatar_id: null, avatar_service_id: null, url: "", avatar_url: "" },
    repo: { id: 1, name: "octo/hello", url: "" },
    payload,
    public: true,
    created_at: "2026-01-02T03:04:05Z"
  })

const at = (screen: string, values: Readonly<Record<string, unknown>>) => ({
  screen,
  arguments: { owner: "octo", repo: "hello", ...values }
})

describe("an event", () => {
  it("is a sentence", () => {
    const cases: ReadonlyArray<readonly [string | null, Readonly<Record<string, unknown>>, string]> = [
      ["PushEvent", { ref: "refs/heads/main", size: 2 }, "pushed 2 commits to main"],
      ["PushEvent", { ref: "refs/heads/main", head: sha }, "pushed to main"],
      ["CreateEvent", { ref: null, ref_type: "repository" }, "created the repository"],
      ["CreateEvent", { ref: "v1", ref_type: "tag" }, "created tag v1"],
      ["PullRequestEvent", { action: "closed", number: 4, pull_request: { merged: true } }, "merged pull request #4"],
      [
        "PullRequestReviewEvent",
        { review: { state: "APPROVED" }, pull_request: { number: 7 } },
        "approved pull request #7"
      ],
      ["IssueCommentEvent", { action: "deleted", issue: { number: 3 } }, "deleted a comment on issue #3"],
      ["GollumEvent", { pages: [{ title: "Paint", action: "created" }] }, "created wiki page Paint"],
      ["TeamAddEvent", {}, "team add"],
      [null, {}, "did something"]
    ]
    for (const [type, payload, expected] of cases) assert.strictEqual(EventText.of(event(type, payload)), expected)
  })

  it("leads to what it is about", () => {
    assert.deepStrictEqual(
      EventLinks.of(event("PushEvent", { head: sha, commits: [{ sha }] })),
      at("commits.get", { ref: sha })
    )
    assert.deepStrictEqual(
      EventLinks.of(event("CommitCommentEvent", { comment: { id: 4 } })),
      at("commitComments.get", { comment_id: 4 })
    )
    assert.deepStrictEqual(
      EventLinks.of(event("CreateEvent", { ref: "v1", ref_type: "tag" })),
      at("commits.list", { sha: "v1" })
    )
    assert.deepStrictEqual(EventLinks.of(event("TeamAddEvent", {})), at("commits.list", {}))
  })

  it("of an unknown type shows the fields of its payload, without control characters", () => {
    const layout = EventDocument.make(event("TeamAddEvent", { team: { name: "keepers\u001b[2J" } })).layout(80)
    const lines = Array.from({ length: layout.length }, (_, index) => StyledLine.text(layout.lineAt(index, 0).line))
    assert.isTrue(lines.some((line) => /team\.name +keepers/.test(line)))
    assert.isFalse(lines.join("\n").includes("\u001b"))
  })
})
