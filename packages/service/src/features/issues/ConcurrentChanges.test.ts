/** Requests at the same time that change the same issues. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
})

const prepare = Effect.gen(function* () {
  const { ask, base, get } = yield* TestForge
  const issues = `${base}/hello/issues`
  const create = (title: string) => Effect.map(ask("POST", issues, { body: { title } }), ({ json }) => json)
  const comment = (number: number) => ask("POST", `${issues}/${number}/comments`, { body: { body: "text" } })
  const events = (number: number) =>
    Effect.map(get(`${issues}/${number}/events`), ({ json }) => json.map((one: { event: string }) => one.event))
  const { json: other } = yield* get(`${base}/other`)
  const transfer = (issueId: string) =>
    ask("POST", "/graphql", {
      body: {
        query: "mutation ($input: TransferIssueInput!) { transferIssue(input: $input) { issue { number } } }",
        variables: { input: { issueId, repositoryId: other.node_id } }
      }
    })
  return { ask, base, comment, create, events, get, issues, transfer }
})

/** Sends requests at the same time and returns the statuses, sorted. */
const statuses = <E, R>(requests: ReadonlyArray<Effect.Effect<Support.Answer, E, R>>) =>
  Effect.map(Effect.all(requests, { concurrency: "unbounded" }), (answers) =>
    answers.map(({ status }) => status).toSorted((one, another) => one - another)
  )

layer(forge)("requests at the same time", (it) => {
  it.effect("delete a comment once", () =>
    Effect.gen(function* () {
      const { ask, comment, create, get, issues } = yield* prepare
      const { number } = yield* create("Comments")
      yield* comment(number)
      const { json } = yield* comment(number)
      const remove = ask("DELETE", `${issues}/comments/${json.id}`)
      assert.deepStrictEqual(yield* statuses([remove, remove, remove, remove]), [204, 404, 404, 404])
      assert.strictEqual((yield* get(`${issues}/${number}`)).json.comments, 1)
    })
  )

  it.effect("comment on an issue that moves", () =>
    Effect.gen(function* () {
      const { comment, create, transfer } = yield* prepare
      const sql = yield* SqlClient.SqlClient
      const { id, node_id, number } = yield* create("Moves")
      const comments = [comment(number), comment(number), comment(number)]
      yield* statuses([...comments, transfer(node_id), ...comments])
      const found = yield* sql`
        SELECT c.id FROM issue_comments c JOIN issues i ON i.id = c.issue_id
        WHERE i.id = ${id} AND c.repository_id <> i.repository_id`
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("move an issue once", () =>
    Effect.gen(function* () {
      const { base, create, get, transfer } = yield* prepare
      const { node_id } = yield* create("Moves once")
      const move = transfer(node_id)
      const answers = yield* Effect.all([move, move, move], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200]
      )
      const moved = answers.flatMap(({ json }) => (json.errors === undefined ? [json.data.transferIssue.issue] : []))
      assert.strictEqual(moved.length, 1, JSON.stringify(answers.map(({ json }) => json)))
      const { json } = yield* get(`${base}/other/issues/${moved[0].number}/events`)
      assert.deepStrictEqual(
        json.map((one: { event: string }) => one.event),
        ["transferred"]
      )
    })
  )

  it.effect("give a sub-issue one parent, and no circle", () =>
    Effect.gen(function* () {
      const { ask, create, events, issues } = yield* prepare
      const one = yield* create("One")
      const two = yield* create("Two")
      const child = yield* create("Child")
      const add = (parent: number, id: number) =>
        ask("POST", `${issues}/${parent}/sub_issues`, { body: { sub_issue_id: id } })
      const both = [add(one.number, child.id), add(two.number, child.id), add(one.number, child.id)]
      assert.deepStrictEqual(yield* statuses(both), [201, 422, 422])
      assert.deepStrictEqual(yield* events(child.number), ["parent_issue_added"])
      assert.deepStrictEqual(yield* statuses([add(one.number, two.id), add(two.number, one.id)]), [201, 422])
      const remove = ask("DELETE", `${issues}/${one.number}/sub_issue`, { body: { sub_issue_id: child.id } })
      const other = ask("DELETE", `${issues}/${two.number}/sub_issue`, { body: { sub_issue_id: child.id } })
      assert.deepStrictEqual(yield* statuses([remove, other, remove, other]), [200, 404, 404, 404])
      assert.deepStrictEqual(yield* events(child.number), ["parent_issue_added", "parent_issue_removed"])
    })
  )

  it.effect("add a blocker once, and no circle", () =>
    Effect.gen(function* () {
      const { ask, create, events, issues } = yield* prepare
      const one = yield* create("Waits")
      const two = yield* create("Blocks")
      const add = (number: number, id: number) =>
        ask("POST", `${issues}/${number}/dependencies/blocked_by`, { body: { issue_id: id } })
      const all = [add(one.number, two.id), add(one.number, two.id), add(two.number, one.id)]
      assert.deepStrictEqual(yield* statuses(all), [201, 422, 422])
      const waiting = [...(yield* events(one.number)), ...(yield* events(two.number))]
      assert.strictEqual(waiting.length, 2)
      const remove = (number: number, id: number) => ask("DELETE", `${issues}/${number}/dependencies/blocked_by/${id}`)
      const removals = [remove(one.number, two.id), remove(two.number, one.id)]
      assert.deepStrictEqual(yield* statuses([...removals, ...removals]), [200, 404, 404, 404])
      assert.strictEqual((yield* events(one.number)).length, 2)
    })
  )

  it.effect("react to an issue that is deleted", () =>
    Effect.gen(function* () {
      const { ask, comment, create, issues } = yield* prepare
      const { node_id, number } = yield* create("Deleted")
      const query = `mutation { deleteIssue(input: { issueId: "${node_id}" }) { __typename } }`
      const react = ask("POST", `${issues}/${number}/reactions`, { body: { content: "heart" } })
      const found = yield* statuses([
        react,
        comment(number),
        ask("POST", "/graphql", { body: { query } }),
        react,
        comment(number)
      ])
      assert.isTrue(
        found.every((status) => [200, 201, 410].includes(status)),
        found.join()
      )
    })
  )
})
