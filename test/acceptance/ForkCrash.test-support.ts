/**
 * Kills a forge repeatedly while repositories are forked, copied from templates and transferred. An acknowledged
 * repository stays, `git fsck` is clean, and no folder stays without a repository.
 */
import { randomBytes } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { setImmediate, setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { randomOf, seed } from "./ClockJumps.test-support.ts"
import { everyPage } from "./CrashScenario.test-support.ts"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

/** Concurrent clients. */
const CLIENTS = 3

/** Maximum number of acknowledged steps before a kill, and of milliseconds after the last of them. */
const MAX_STEPS = 9
const MAX_DELAY = 200

/** Maximum milliseconds to wait for a folder without a row. */
const MAX_STAGE = 10_000

/** Bytes of a file, so that forks share a pool. */
const FILE_BYTES = 1_200_000

const ORGANIZATION = "fleet"

interface Round {
  readonly number: number
  isKilled: boolean
}

/** Names of acknowledged repositories by id. A transfer that was not acknowledged can have happened. */
class RepositoryLedger {
  readonly names = new Map<number, ReadonlySet<string>>()
  interrupted = 0
  /** Number of acknowledged steps. */
  steps = 0

  acknowledge({ full_name, id }: { readonly id: number; readonly full_name: string }) {
    this.names.set(id, new Set([full_name]))
    this.steps++
  }

  begin({ full_name, id }: { readonly id: number; readonly full_name: string }) {
    this.names.set(id, new Set([...(this.names.get(id) ?? []), full_name]))
  }
}

/** Creates a repository, copies it, forks it and transfers it, until the forge is killed. */
const untilKilled = async (
  serving: ForgeProcess,
  login: string,
  client: number,
  round: Round,
  ledger: RepositoryLedger
) => {
  const send = async (method: string, path: string, statuses: ReadonlyArray<number>, body: object) => {
    const answer = await request(serving, method, path, body)
    expect(statuses, JSON.stringify(answer.json)).toContain(answer.status)
    return answer.json
  }
  try {
    for (let index = 0; ; index++) {
      const name = `r${round.number}-${client}-${index}`
      const made = await send("POST", "/user/repos", [201], { name, auto_init: true, is_template: true })
      ledger.acknowledge(made)
      const at = `/repos/${login}/${name}`
      const content = randomBytes(FILE_BYTES).toString("base64")
      await send("PUT", `${at}/contents/large.bin`, [201], { message: "large", content })
      ledger.acknowledge(await send("POST", `${at}/generate`, [201], { name: `${name}-copy` }))
      ledger.acknowledge(await send("POST", `${at}/forks`, [202], { organization: ORGANIZATION, name: `${name}-fork` }))
      const moved = { id: made.id, full_name: `${ORGANIZATION}/${name}-moved` }
      ledger.begin(moved)
      // The response has the former name, as on GitHub.
      await send("POST", `${at}/transfer`, [202], { new_owner: ORGANIZATION, new_name: `${name}-moved` })
      ledger.acknowledge(moved)
    }
  } catch (error) {
    if (!round.isKilled || !(error instanceof TypeError)) throw error
    ledger.interrupted++
  }
}

/** Folders that a process has renamed and that have no row, or whose rows were added a moment ago. */
const pendingFolders = (data: string): ReadonlyArray<string> => {
  const all = join(data, "repositories")
  return readdirSync(all).flatMap((owner) => {
    const names = readdirSync(join(all, owner))
    return names.flatMap((name) => {
      const [mark] = /^\.pending-\d+-/.exec(name) ?? []
      return mark !== undefined && names.includes(name.slice(mark.length)) ? [join(all, owner, name)] : []
    })
  })
}

/** Waits for some steps, then for a moment, or for a folder that a kill would leave without a row. */
const momentOfKill = async (data: string, ledger: RepositoryLedger, random: () => number, isStage: boolean) => {
  const steps = ledger.steps + Math.ceil(random() * MAX_STEPS)
  while (ledger.steps < steps) await setTimeout(5)
  if (!isStage) return await setTimeout(random() * MAX_DELAY)
  const end = Date.now() + MAX_STAGE
  while (pendingFolders(data).length === 0 && Date.now() < end) await setImmediate()
}

/** Checks the repositories and the folders after a start. */
const expectSound = async (serving: ForgeProcess, data: string, ledger: RepositoryLedger) => {
  const all = await everyPage(serving, "/user/repos")
  const served = new Map(all.filter(({ name }) => name !== "hello").map(({ full_name, id }) => [id, full_name]))
  for (const [id, names] of ledger.names) expect(names, `repository ${id}`).toContain(served.get(id))
  const owners = readdirSync(join(data, "repositories"))
  const entries = owners.flatMap((owner) =>
    readdirSync(join(data, "repositories", owner)).map((name) => join(data, "repositories", owner, name))
  )
  expect(entries.length, entries.join("\n")).toBe(served.size)
  return entries
}

/** Kills the forge a number of times. */
export const expectForkCrashRecovery = async (times: number) => {
  const root = temporaryFolder()
  const data = join(root, "data")
  git(root, ["init", "--quiet", "--initial-branch=main", join(root, "repos", "hello")])
  const random = randomOf(seed)
  const ledger = new RepositoryLedger()
  let left = 0
  const fixtures = join(root, "fixtures.json")
  const empty = await serve(root)
  const { login } = (await request(empty, "GET", "/user")).json
  await empty.kill("SIGTERM")
  const members = [{ login, role: "owner" }]
  writeFileSync(fixtures, JSON.stringify({ organizations: [{ login: ORGANIZATION, members }] }))
  for (let number = 0; number < times; number++) {
    const serving = await serve(root, "--fixtures", fixtures)
    if (number > 0) await expectSound(serving, data, ledger)
    const round: Round = { number, isKilled: false }
    const clients = Array.from({ length: CLIENTS }, (_, client) => untilKilled(serving, login, client, round, ledger))
    await Promise.race([momentOfKill(data, ledger, random, number % 2 === 0), Promise.all(clients)])
    round.isKilled = true
    await serving.kill("SIGKILL")
    await Promise.all(clients)
    left += pendingFolders(data).length
  }
  const serving = await serve(root)
  for (const folder of await expectSound(serving, data, ledger)) {
    expect(git(folder, ["fsck", "--full", "--strict", "--no-dangling"])).toBe("")
  }
  await serving.kill("SIGTERM")
  console.log(
    `${ledger.names.size} repositories, ${ledger.interrupted} interrupted clients, ${left} folders left by kills`
  )
}
