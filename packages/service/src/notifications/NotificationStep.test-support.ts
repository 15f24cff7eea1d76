/** A step of a story, and the accounts and paths that the steps need. */
import type * as Rights from "../access/RightsModel.test-support.ts"
import { fullName } from "../access/RightsModel.test-support.ts"
import * as Model from "./NotificationModel.test-support.ts"

export interface Step {
  readonly by: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  /** A path that `by` reads before the request. */
  readonly before?: string
  /** Applies the step to the model. `json` is the response, `before` the response to the read before. */
  readonly apply: (json: any, before: any) => void // oxlint-disable-line typescript/no-explicit-any -- the members that a step needs
}

export type Maker = (world: Model.World, random: Rights.Random, serial: number) => Step | undefined

interface Account {
  readonly login: string
}

export const loginsOf = (accounts: ReadonlyArray<Account>) => accounts.map(({ login }) => login)

const readersOf = (world: Model.World, repository: Rights.Repository) =>
  loginsOf(world.people).filter((login) => Model.canRead(world, login, repository))

/** A reader, sometimes any account. */
export const someone = (world: Model.World, random: Rights.Random, repository: Rights.Repository) =>
  random.one(random.chance(0.9) ? readersOf(world, repository) : loginsOf(world.people))

export const pathOf = (repository: Rights.Repository) => `/repos/${fullName(repository)}`
