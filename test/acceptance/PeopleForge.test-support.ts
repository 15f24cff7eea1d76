/** A forge with the people of the clients' tests, for Octokit. */
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"

/** The parameters of a list with one item per page. */
export const one = { per_page: 1 }

/** Starts a forge with the fixture of the clients' tests, and returns Octokit with the token of a user. */
export const servePeople = async (login: string) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const file = join(root, "people.json")
  copyFileSync(join(import.meta.dirname, "clients", "people.json"), file)
  const { url } = await serve(root, "--dialect", "github", "--fixtures", file)
  const as = (token: string) => octokitFor({ token, url })
  const octokit = as(login)
  return { as, octokit, rest: octokit.rest }
}

/** Returns the status of a call that may fail. */
export const status = (call: Promise<{ readonly status: number }>) =>
  call.then(
    ({ status }) => status,
    ({ status }: { readonly status: number }) => status
  )

export const logins = (items: ReadonlyArray<{ readonly login: string } | null>) =>
  items.map((item) => item?.login ?? "").toSorted()
export const fullNames = (items: ReadonlyArray<{ readonly full_name: string }>) =>
  items.map(({ full_name }) => full_name).toSorted()
export const slugs = (items: ReadonlyArray<{ readonly slug: string }>) => items.map(({ slug }) => slug).toSorted()

/** Expects a time of this test. */
export const expectRecent = (time: string | null | undefined) =>
  expect(Math.abs(Date.now() - Date.parse(time ?? ""))).toBeLessThan(600_000)
