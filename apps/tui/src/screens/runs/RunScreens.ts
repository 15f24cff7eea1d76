/** The screens of workflow runs, of jobs and of checks. */
import type { Screen } from "../Screen.ts"
import * as CheckList from "./CheckList.ts"
import * as JobDocument from "./JobDocument.ts"
import * as RunDocument from "./RunDocument.ts"
import * as RunList from "./RunList.ts"

export const screens: ReadonlyArray<Screen> = [
  ...RunList.screens,
  RunDocument.screen,
  JobDocument.screen,
  ...CheckList.screens
]
