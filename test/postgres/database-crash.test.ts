import { it } from "vitest"
import { seed } from "../acceptance/ClockJumps.test-support.ts"
import { expectRecovery } from "./DatabaseCrash.test-support.ts"

it(`3 SIGKILLs of the forge and 2 of PostgreSQL lose no acknowledged data (TONGS_TEST_SEED=${seed})`, () =>
  expectRecovery(3, 2))
