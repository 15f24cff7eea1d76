/**
 * Random texts in issues, comments and commit messages: links, timelines, mentions and closed issues are those of an
 * independent model. `npm run test:long` has more texts and seeds.
 */
import { rmSync } from "node:fs"
import { expect, it } from "vitest"
import { isLong } from "../../LongTests.test-support.ts"
import { seededRandom } from "../limits/StrictForge.test-support.ts"
import * as TextForge from "./TextForge.test-support.ts"
import * as TextModel from "./TextModel.test-support.ts"

const seeds = process.env["TONGS_TEXT_SEED"]
  ? [Number(process.env["TONGS_TEXT_SEED"])]
  : isLong
    ? [1, 2, 3, Date.now() % 2 ** 31]
    : [Date.now() % 2 ** 31]
const [textCount, pushCount] = isLong ? [300, 30] : [40, 4]

const shownLink = ({ path, text }: TextModel.Link) => `${text} to ${path}`
const isSecret = (path: string) => path.toLowerCase().startsWith(`/${TextForge.SECRET}/`)
const repositoryOf = (issue: string) => issue.split("#")[0] ?? ""

it.each(seeds)(`${textCount} texts of issues and comments (seed %i)`, { timeout: 600_000 }, async (seed) => {
  const forge = await TextForge.start()
  const dice = new TextModel.Dice(seededRandom(seed))
  const wrong: Array<string> = []
  /** Remembers differences, so that a run reports all of them. */
  const check = (text: string, subject: string, actual: ReadonlyArray<string>, expected: ReadonlyArray<string>) => {
    if (JSON.stringify(actual) === JSON.stringify(expected)) return
    const without = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
      some.filter((one) => !others.includes(one)).join(", ")
    wrong.push(`${subject} (missing: ${without(expected, actual)}; surplus: ${without(actual, expected)}) of ${text}`)
  }
  /** The issues that name each issue, as `TARGET from SOURCE`. */
  const references: Array<string> = []
  try {
    for (let index = 0; index < textCount; index++) {
      const home = dice.pick(["harbor/hello", "harbor/hello", "harbor/hello", "harbor/other", TextForge.SECRET])
      const author = home === TextForge.SECRET || dice.chance(0.5) ? "insider" : "outsider"
      const model = TextModel.markdown(dice, forge.world(home))
      const issues = `/repos/${home}/issues`
      const how = dice.pick(["issue", "comment", "edit", "edited comment"])
      const body = (isFirst: boolean) => ({ body: isFirst && how.startsWith("edit") ? "Nothing yet." : model.text })
      const first = how.endsWith("comment") ? {} : body(true)
      const { number } = await forge.ask(author, "POST", issues, { title: `Text ${index}`, ...first })
      let path = `${issues}/${number}`
      if (how.endsWith("comment")) {
        const { id } = await forge.ask(author, "POST", `${path}/comments`, body(true))
        path = `${issues}/comments/${id}`
      }
      if (how.startsWith("edit")) {
        await forge.ask(author, "PATCH", path, body(false))
        // Saying the same again adds no events.
        await forge.ask(author, "PATCH", path, { body: `${model.text}\n\nAgain.` })
      }
      const shown = `${how} by ${author} in ${home}: ${JSON.stringify(model.text)}`
      // Others see no links to what they cannot read.
      for (const reader of home === TextForge.SECRET ? ["insider"] : ["insider", "outsider"]) {
        check(
          shown,
          `links for ${reader}`,
          (await forge.links(reader, path)).map(shownLink),
          model.links.filter((link) => reader === "insider" || !isSecret(link.path)).map(shownLink)
        )
      }
      const events = await forge.all(author, `${issues}/${number}/events`)
      const logins = [...model.users].filter(() => home !== TextForge.SECRET).toSorted()
      for (const kind of ["mentioned", "subscribed"]) {
        check(
          shown,
          kind,
          events.flatMap(({ actor, event }): ReadonlyArray<string> => (event === kind ? [actor.login] : [])).toSorted(),
          logins
        )
      }
      for (const issue of model.issues) {
        if (author === "insider" || repositoryOf(issue) !== TextForge.SECRET) {
          references.push(`${issue} from ${home}#${number}`)
        }
      }
    }
    for (const reader of ["insider", "outsider"]) {
      const actual: Array<string> = []
      for (const [repository, numbers] of forge.world("").issues) {
        if (reader === "outsider" && repository === TextForge.SECRET) continue
        for (const number of numbers) {
          for (const { event, source } of await forge.all(reader, `/repos/${repository}/issues/${number}/timeline`)) {
            if (event !== "cross-referenced") continue
            actual.push(`${repository}#${number} from ${source.issue.repository.full_name}#${source.issue.number}`)
          }
        }
      }
      check(
        "",
        `timelines for ${reader}`,
        actual.toSorted(),
        references.filter((one) => reader === "insider" || !one.includes(TextForge.SECRET)).toSorted()
      )
    }
    expect(wrong).toEqual([])
  } finally {
    await forge.close()
  }
})

it.each(seeds)(`${pushCount} pushes with five commits each (seed %i)`, { timeout: 600_000 }, async (seed) => {
  const forge = await TextForge.start()
  const home = "harbor/hello"
  const clone = await forge.clone(home)
  const dice = new TextModel.Dice(seededRandom(seed))
  const world = forge.world(home)
  const references: Array<string> = []
  const closings: Array<string> = []

  /** Checks which issues are closed, and opens them again. */
  const closed = async (messages: ReadonlyMap<string, TextModel.Message>) => {
    const actual: Array<string> = []
    for (const repository of world.issues.keys()) {
      for (const { number, state_reason } of await forge.all("harbor", `/repos/${repository}/issues?state=closed`)) {
        expect(state_reason).toBe("completed")
        actual.push(`${repository}#${number}`)
        const events = await forge.all("harbor", `/repos/${repository}/issues/${number}/events`)
        const { commit_id } = events.findLast(({ event }) => event === "closed") ?? {}
        const shown = `${repository}#${number} closed by ${commit_id}`
        expect([...(messages.get(commit_id)?.closes ?? [])], shown).toContain(`${repository}#${number}`)
        await forge.ask("harbor", "PATCH", `/repos/${repository}/issues/${number}`, { state: "open" })
      }
    }
    const expected = [...messages.values()]
      .flatMap(({ closes }) => [...closes])
      .filter((issue) => TextForge.closable.has(repositoryOf(issue)))
    const shown = JSON.stringify([...messages.values()].map(({ text }) => text))
    expect(actual.toSorted(), shown).toEqual([...new Set(expected)].toSorted())
    closings.push(...actual)
  }

  try {
    for (let index = 0; index < pushCount; index++) {
      const isDefault = index % 3 !== 2
      const branch = isDefault ? "main" : `side-${index}`
      clone.switch(branch)
      const pushed = new Map<string, TextModel.Message>()
      for (const message of dice.some(5, 5, () => TextModel.message(dice, world))) {
        const sha = clone.commit(message.text)
        pushed.set(sha, message)
        for (const issue of message.issues) {
          if (repositoryOf(issue) !== TextForge.SECRET) references.push(`${issue} in ${sha}`)
        }
      }
      await clone.push(branch)
      await closed(isDefault ? pushed : new Map())
      if (isDefault) continue
      // A merge closes the issues, without a second reference.
      clone.merge(branch)
      await clone.push("main")
      await closed(pushed)
    }
    expect(closings.length).toBeGreaterThan(pushCount)
    const actual: Array<string> = []
    for (const [repository, numbers] of world.issues) {
      for (const number of numbers) {
        for (const { commit_id, event } of await forge.all(
          "harbor",
          `/repos/${repository}/issues/${number}/timeline`
        )) {
          if (event === "referenced") actual.push(`${repository}#${number} in ${commit_id}`)
        }
      }
    }
    expect(actual.toSorted()).toEqual(references.toSorted())
  } finally {
    await forge.close()
    rmSync(clone.folder, { recursive: true, force: true })
  }
})
